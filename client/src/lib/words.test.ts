import { expect, test } from 'vitest'
import { removed } from './words.ts'

test('a deletion is told in the specified words, whatever the gender of the thing (COMP-31, LIST-21)', () => {
  expect(removed('Empresa')).toBe('Empresa excluído(a) com sucesso.')
  expect(removed('OS')).toBe('OS excluído(a) com sucesso.')
})
