import { expect, test } from 'vitest'
import { deletionMessage } from './deletion-message.ts'

test('a deletion message has the specified text, whatever the grammatical gender (COMP-31, LIST-21)', () => {
  expect(deletionMessage('Empresa')).toBe('Empresa excluído(a) com sucesso.')
  expect(deletionMessage('OS')).toBe('OS excluído(a) com sucesso.')
})
