import { expect, test } from 'vitest'
import { mailState } from './mail-state.ts'

test('a mail is sent, failed, queued, or only stored without a mail server (D-46)', () => {
  const label = (sent_at: string | null, error: string | null, hasServer: boolean) =>
    mailState({ sent_at, error }, hasServer).label
  expect(label('2026-01-05T12:00:00Z', null, true)).toBe('Enviada')
  expect(label(null, 'connect ECONNREFUSED', true)).toBe('Falhou')
  expect(label(null, null, true)).toBe('Na fila')
  expect(label(null, null, false)).toBe('Guardada aqui')
})
