import { expect, test } from 'vitest'
import { notificationText } from './schema.ts'

const told = { actor_name: 'Ana Lima', os_number: '000123', times: 1 }

test('a notification says who did what, where and how often', () => {
  expect(notificationText({ ...told, kind: 'mention' })).toBe(
    'Ana Lima mencionou você em um comentário na OS 000123',
  )
  expect(notificationText({ ...told, kind: 'comment', times: 3 })).toBe(
    'Ana Lima comentou na OS 000123 (3 vezes)',
  )
  expect(notificationText({ ...told, kind: 'order.assigned' })).toBe('Ana Lima passou para você a OS 000123')
  expect(notificationText({ ...told, kind: 'evidence.failed', actor_name: 'Sistema' })).toBe(
    'A conversão de um arquivo da OS 000123 falhou',
  )
  expect(notificationText({ ...told, kind: 'orders.assigned', times: 12 })).toBe(
    'Ana Lima: 12 ordens passaram para você',
  )
  expect(notificationText({ ...told, kind: 'packages.ready', times: 3 })).toBe(
    'Os pacotes que você pediu estão prontos: em Exportar, na lista de OS',
  )
  expect(notificationText({ ...told, kind: 'evidence.from_guest', actor_name: 'Sistema' })).toBe(
    'Chegou um arquivo pelo link na OS 000123',
  )
  expect(notificationText({ ...told, kind: 'evidence.from_guest', times: 3 })).toBe(
    'Chegaram 3 arquivos pelo link na OS 000123',
  )
  expect(notificationText({ ...told, kind: 'deadline.overdue' })).toBe('A OS 000123 passou do prazo')
  expect(notificationText({ ...told, kind: 'evidence.failed', times: 12 })).toBe(
    'A conversão de 12 arquivos da OS 000123 falhou',
  )
})
