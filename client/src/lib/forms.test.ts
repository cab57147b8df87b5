import { expect, test, vi } from 'vitest'
import { markRefused } from './forms.ts'
import { ApiError } from './messages.ts'

const NAMES = ['email', 'cpf'] as const
const marksOf = (error: unknown) => {
  const setError = vi.fn()
  const names = markRefused<{ email: string; cpf: string }>(setError, error, NAMES, (detail) =>
    detail.includes('email') ? 'email' : undefined,
  )
  return { names, marks: setError.mock.calls }
}
const issue = (field: string, msg: string) => ({ loc: ['body', 'change', field], msg, type: 'value_error' })

test('a 422 marks the named fields that the form has', () =>
  expect(marksOf(new ApiError(422, [issue('cpf', 'CPF inválido'), issue('other', 'Não')]))).toEqual({
    names: ['cpf'],
    marks: [['cpf', { message: 'CPF inválido' }]],
  }))

test('a 409 marks the field it is about', () =>
  expect(marksOf(new ApiError(409, 'Já existe um usuário com este email.'))).toEqual({
    names: ['email'],
    marks: [['email', { message: 'Já existe um usuário com este email.' }]],
  }))

test.each([
  new ApiError(409, 'O último superusuário ativo não pode ser removido.'),
  new ApiError(403, 'email'),
  new ApiError(0, undefined),
])('%s marks no field', (error) => expect(marksOf(error)).toEqual({ names: [], marks: [] }))
