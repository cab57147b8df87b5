import { expect, test } from 'vitest'
import { changesOf, profileForm } from './profile-change.ts'

const short = { full_name: 'Ana Lima', email: 'ana@exemplo.com' }
const long = { full_name: 'Ana Carolina de Albuquerque Lima', email: 'ana.lima' }
const problem = (before: typeof short, after: typeof short) =>
  profileForm(before).safeParse(after).error?.issues[0]?.message

test('a new name has at most 30 characters, a longer existing one may stay (SET-4, D-41)', () => {
  expect(problem(short, { ...short, full_name: 'x'.repeat(30) })).toBeUndefined()
  expect(problem(short, { ...short, full_name: 'x'.repeat(31) })).toBe('Máximo de 30 caracteres')
  expect(problem(long, { ...long, email: 'ana' })).toBeUndefined()
  expect(problem(long, { ...long, full_name: `${long.full_name}!` })).toBe('Máximo de 30 caracteres')
  expect(problem(short, { ...short, full_name: ' ' })).toBe('Nome completo é obrigatório')
})
test('the login follows the rules of the sign-in form (SET-5)', () => {
  expect(problem(short, { ...short, email: '' })).toBe('Email ou nome de usuário é obrigatório')
  expect(problem(short, { ...short, email: 'an' })).toBe('Mínimo de 3 caracteres')
  expect(problem(short, { ...short, email: 'ana@' })).toBe('Endereço de email inválido')
})
test('only changed values are sent', () => {
  expect(changesOf(long, { ...long, email: 'ana' })).toEqual({ email: 'ana' })
  expect(changesOf(short, { ...short, full_name: 'Ana' })).toEqual({ full_name: 'Ana' })
  expect(changesOf(short, short)).toEqual({})
})
