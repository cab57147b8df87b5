import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { passwordForm, resetForm, signUpForm } from './password-forms.ts'

const problems = (form: z.ZodType, fields: object) =>
  Object.fromEntries(
    (form.safeParse(fields).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  )
const person = {
  full_name: 'Ana Lima',
  email: 'ana@exemplo.com',
  password: 'segredo-1',
  confirm_password: 'segredo-1',
}

describe('the sign-up form (SIGN-3 to SIGN-9)', () => {
  test.each([
    [{}, {}],
    [{ full_name: '' }, { full_name: 'Nome completo é obrigatório' }],
    [{ full_name: 'An' }, { full_name: 'Full Name is required' }],
    [{ email: '' }, { email: 'Email is required' }],
    [{ email: 'ana@' }, { email: 'Endereço de email inválido' }],
    [
      { password: '', confirm_password: '' },
      {
        password: 'Senha é obrigatória',
        confirm_password: 'Confirmação de senha é obrigatória',
      },
    ],
    [
      { password: 'curta', confirm_password: 'curta' },
      {
        password: 'Senha deve ter pelo menos 8 caracteres',
      },
    ],
    [{ confirm_password: '' }, { confirm_password: 'Confirmação de senha é obrigatória' }],
    [{ confirm_password: 'outra' }, { confirm_password: 'As senhas não coincidem' }],
    [
      { full_name: '', confirm_password: 'outra' },
      {
        full_name: 'Nome completo é obrigatório',
        confirm_password: 'As senhas não coincidem',
      },
    ],
  ])('%o', (change, expected) => expect(problems(signUpForm, { ...person, ...change })).toEqual(expected))
})

test('the password confirmation is not sent (SIGN-12)', () =>
  expect(signUpForm.parse(person)).toEqual({
    full_name: 'Ana Lima',
    email: 'ana@exemplo.com',
    password: 'segredo-1',
  }))

test('a new password follows the same rules on reset and in the settings (RST-3, SET-7, SET-8)', () => {
  const expected = {
    new_password: 'Senha deve ter pelo menos 8 caracteres',
    confirm_password: 'As senhas não coincidem',
  }
  expect(problems(resetForm, { new_password: 'curta', confirm_password: 'outra' })).toEqual(expected)
  expect(
    problems(passwordForm, { current_password: 'x', new_password: 'curta', confirm_password: 'outra' }),
  ).toEqual(expected)
  expect(problems(passwordForm, { current_password: '', new_password: '', confirm_password: '' })).toEqual({
    current_password: 'Senha é obrigatória',
    new_password: 'Senha é obrigatória',
    confirm_password: 'Confirmação de senha é obrigatória',
  })
})
