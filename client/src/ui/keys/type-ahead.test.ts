import { expect, test } from 'vitest'
import { createTypeAhead } from './type-ahead.ts'

const CHOICES = ['Marcar como pendente', 'Colocar em análise', 'Concluir', 'Cancelar', 'Única']
/** Types the letters 100 ms apart, from the entry at `from`; names the entry that each leads to. */
const type = (letters: string, from = 0, pause = 100) => {
  const find = createTypeAhead()
  let current = from
  return [...letters].map((letter, index) => {
    const found = find(letter, 1_000 + index * pause, CHOICES, current)
    if (found >= 0) current = found
    return CHOICES[found]
  })
}

test('letters typed one after the other are the beginning of a text', () => {
  expect(type('con')).toEqual(['Colocar em análise', 'Colocar em análise', 'Concluir'])
  expect(type('ca')).toEqual(['Colocar em análise', 'Cancelar'])
  expect(type('x')).toEqual([undefined])
})

test('the same letter again goes on to the next entry, and round', () => {
  expect(type('cccc')).toEqual(['Colocar em análise', 'Concluir', 'Cancelar', 'Colocar em análise'])
  expect(type('c', 1)).toEqual(['Concluir'])
})

test('after a pause another word begins; case and accents do not matter', () => {
  expect(type('cm', 0, 2_000)).toEqual(['Colocar em análise', 'Marcar como pendente'])
  expect(type('U')).toEqual(['Única'])
})
