import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  bySession,
  confirmation,
  loginIdentity,
  loginInput,
  passwordChange,
  recoveryInput,
  resetInput,
  signUpInput,
} from './schema.ts'

const messagesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

const account = { full_name: 'Ana', email: 'ana@exemplo.com.br', password: '12345678' }

describe('signing up (SIGN-3 to SIGN-9, CON-1, CON-2)', () => {
  test.each([
    [{ full_name: undefined }, 'full_name: Nome completo é obrigatório'],
    [{ full_name: '  ' }, 'full_name: Nome completo é obrigatório'],
    [{ full_name: 'An' }, 'full_name: Full Name is required'],
    [{ full_name: 'a\u0000na' }, 'full_name: Contém caracteres inválidos'],
    [{ email: undefined }, 'email: Email is required'],
    [{ email: '' }, 'email: Email is required'],
    [{ email: 'ana' }, 'email: Endereço de email inválido'],
    [{ email: 'a\u0000@b.co' }, 'email: Endereço de email inválido'],
    [{ email: 'ana@exemplo.com.br\r\nBcc: outro@exemplo.com.br' }, 'email: Endereço de email inválido'],
    [{ password: undefined }, 'password: Senha é obrigatória'],
    [{ password: '' }, 'password: Senha é obrigatória'],
    [{ password: '1234567' }, 'password: Senha deve ter pelo menos 8 caracteres'],
    [{ password: 'x'.repeat(129) }, 'password: Senha deve ter no máximo 128 caracteres'],
  ])('%j is refused with one message: %s', (extra, message) => {
    expect(messagesOf(signUpInput, { ...account, ...extra })).toEqual([message])
  })

  test('keeps its fields and drops the rest (SIGN-12)', () => {
    expect(signUpInput.parse({ ...account, is_superuser: true, role: 'admin' })).toEqual(account)
  })

  test('a repetition may be left out; one that differs is refused where it stands', () => {
    expect(messagesOf(signUpInput, { ...account, confirm_password: account.password })).toEqual([])
    expect(messagesOf(signUpInput, { ...account, confirm_password: 'outra-coisa' })).toEqual([
      'confirm_password: As senhas não coincidem',
    ])
  })

  test('a password is not trimmed', () => {
    expect(signUpInput.parse({ ...account, password: '  senha   ' }).password).toBe('  senha   ')
  })

  test('an empty confirmation is refused (SIGN-8)', () => {
    expect(messagesOf(confirmation, '')).toEqual([': Confirmação de senha é obrigatória'])
  })
})

describe('signing in (LOGIN-5 to LOGIN-7, CON-3)', () => {
  test.each([
    [{ username: '', password: 'x' }, 'username: Email ou nome de usuário é obrigatório'],
    [{ username: 'ab', password: 'x' }, 'username: Mínimo de 3 caracteres'],
    [{ username: 'a\u0000bc', password: 'x' }, 'username: Contém caracteres inválidos'],
    [{ username: 'abc', password: '' }, 'password: Senha é obrigatória'],
  ])('%j is refused with one message: %s', (given, message) =>
    expect(messagesOf(loginInput, given)).toEqual([message]),
  )

  test('an existing password only has to be present', () => {
    expect(messagesOf(loginInput, { username: 'abc', password: 'x' })).toEqual([])
  })
})

describe('the login of a profile (SET-5, D-35)', () => {
  test.each(['ana@exemplo.com.br', 'ana', 'Ana.Souza-2_x', 'a'.repeat(60)])('%s is accepted', (value) => {
    expect(messagesOf(loginIdentity, value)).toEqual([])
  })
  test.each(['ana@', '@exemplo.com', 'ana souza', 'joão', 'a'.repeat(61), 'a/b', 'a\nb'])(
    '%j is refused',
    (value) => {
      expect(messagesOf(loginIdentity, value)).toEqual([': Endereço de email inválido'])
    },
  )
  test.each([
    ['', ': Email ou nome de usuário é obrigatório'],
    ['jo', ': Mínimo de 3 caracteres'],
  ])('%j has a message of its own', (value, message) => {
    expect(messagesOf(loginIdentity, value)).toContain(message)
  })
})

test('recovery needs an e-mail address, not a user name (REC-1, REC-2)', () => {
  expect(messagesOf(recoveryInput, { email: ' ' })).toEqual(['email: Email is required'])
  expect(messagesOf(recoveryInput, { email: 'joao' })).toEqual(['email: Endereço de email inválido'])
  expect(recoveryInput.parse({ email: ' ana@exemplo.com.br ' })).toEqual({ email: 'ana@exemplo.com.br' })
})

test('a reset takes token and new_password, and refuses a token over 200 characters (RST-3, ENT-24)', () => {
  expect(messagesOf(resetInput, {})).toEqual([
    'new_password: Senha é obrigatória',
    'token: Token é obrigatório',
  ])
  expect(messagesOf(resetInput, { new_password: 'uma-senha', token: 'x'.repeat(201) })).toEqual([
    'token: Invalid token',
  ])
})

test('a password change takes current_password and new_password, both needed (SET-7, SET-8, ENT-23)', () => {
  expect(messagesOf(passwordChange, { current_password: '', new_password: 'curta' })).toEqual([
    'current_password: Senha é obrigatória',
    'new_password: Senha deve ter pelo menos 8 caracteres',
  ])
  const given = { current_password: 'x', new_password: 'uma-senha' }
  expect(passwordChange.parse({ ...given, is_superuser: true })).toEqual(given)
  expect(messagesOf(passwordChange, { ...given, confirm_password: 'uma-senhb' })).toEqual([
    'confirm_password: As senhas não coincidem',
  ])
})

test.each(['', 'x', 'A'.repeat(64), 'a\u0000'.repeat(32), 'a'.repeat(65)])('%j is no session id', (id) => {
  expect(bySession.safeParse({ id }).success).toBe(false)
})
