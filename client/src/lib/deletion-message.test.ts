import { expect, test } from 'vitest'
import { deletionMessage } from './deletion-message.ts'

test('a deletion is told in the specified words, whatever the gender of the thing (COMP-31, LIST-21)', () => {
  expect(deletionMessage('Empresa')).toBe('Empresa excluído(a) com sucesso.')
  expect(deletionMessage('OS')).toBe('OS excluído(a) com sucesso.')
})
