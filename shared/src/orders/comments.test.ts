import { expect, test } from 'vitest'
import { commentInput, mentionBeingTyped, mentionedIn, peopleMeant } from './comments.ts'

const people = [
  { id: 1, full_name: 'Ana Lima' },
  { id: 2, full_name: 'Ana Lima Souza' },
  { id: 3, full_name: 'Téo Tavares' },
]

test('a mention is being typed from its @ to the caret', () => {
  expect(mentionBeingTyped('Veja @')).toBe('')
  expect(mentionBeingTyped('Veja @Té')).toBe('Té')
  expect(mentionBeingTyped('Veja @Téo Ta')).toBe('Téo Ta')
  expect(mentionBeingTyped('ana@exemplo')).toBeNull()
  expect(mentionBeingTyped('@Téo, veja')).toBeNull()
})

test('of those who may be meant, who begins with what was typed comes first', () => {
  const named = ['Adriana Lins', 'Beatriz Ana Melo', 'Caio Lima', 'Ana Lima', 'Mário Água-Lima'].map(
    (full_name, id) => ({ id, full_name }),
  )
  const meant = (typed: string) => peopleMeant(typed, named).map(({ full_name }) => full_name)
  expect(meant('ana')).toEqual(['Ana Lima', 'Beatriz Ana Melo', 'Adriana Lins'])
  expect(meant('Li')).toEqual(['Adriana Lins', 'Caio Lima', 'Ana Lima', 'Mário Água-Lima'])
  expect(meant('mario agua')).toEqual(['Mário Água-Lima'])
  expect(meant('')).toHaveLength(5)
  expect(meant('zé')).toEqual([])
})

test('those whose name still stands in the text are mentioned', () => {
  expect(mentionedIn('@Téo Tavares, falta a placa', people).map(({ id }) => id)).toEqual([3])
  expect(mentionedIn('Téo Tavares, falta a placa', people)).toEqual([])
})

test('a place in the text mentions one person, and only whole names', () => {
  const named = (comment: string, full_names: string[]) =>
    mentionedIn(
      comment,
      full_names.map((full_name, id) => ({ id, full_name })),
    ).map(({ full_name }) => full_name)
  expect(named('@Ana Lima, veja', ['Ana', 'Ana Lima'])).toEqual(['Ana Lima'])
  expect(named('@Ana Lima e @Ana', ['Ana', 'Ana Lima'])).toEqual(['Ana', 'Ana Lima'])
  expect(named('@Anabela, veja', ['Ana'])).toEqual([])
  expect(named('ana@Ana e @', ['Ana', '', ' '])).toEqual([])
  expect(named('@J. (Zé) *, veja', ['J. (Zé) *'])).toEqual(['J. (Zé) *'])
})

test('an empty comment is refused in words', () => {
  const { error } = commentInput.safeParse({ id: 1, comment: '  ' })
  expect(error?.issues[0]?.message).toBe('Escreva o comentário')
})
