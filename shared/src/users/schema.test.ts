import { describe, expect, test } from 'vitest'
import { lacksManager, lastLoginLabel, profileChange, userChange, userFilter, userInput } from './schema.ts'

const person = {
  full_name: 'Ana Souza',
  email: 'ana@exemplo.com.br',
  role: 'technician',
  company_id: 1,
  manager_id: 2,
  password: 'uma-senha-longa',
}
const messagesOf = (extra: Record<string, unknown>) =>
  userInput
    .safeParse({ ...person, ...extra })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('a new user (ADM-25 to ADM-37, ENT-3)', () => {
  test.each([
    [{ full_name: '' }, 'full_name: Nome completo é obrigatório'],
    [{ email: '' }, 'email: Email ou nome de usuário é obrigatório'],
    [{ email: 'ana@' }, 'email: Endereço de email inválido'],
    [{ role: '' }, 'role: Função é obrigatória'],
    [{ role: 'owner' }, 'role: Função é obrigatória'],
    [{ company_id: null }, 'company_id: Empresa é obrigatória'],
    [{ company_id: 0 }, 'company_id: Empresa é obrigatória'],
    [{ manager_id: null }, 'manager_id: Gestor responsável é obrigatório para técnicos'],
    [{ manager_id: undefined }, 'manager_id: Gestor responsável é obrigatório para técnicos'],
    [{ password: '' }, 'password: Senha é obrigatória'],
    [{ password: '1234567' }, 'password: Senha deve ter pelo menos 8 caracteres'],
    [{ cpf: '529.982.247' }, 'cpf: CPF deve conter 11 dígitos'],
    [{ cpf: 'abc' }, 'cpf: CPF deve conter 11 dígitos'],
    [{ cpf: '529.982.247-25x' }, 'cpf: CPF deve conter 11 dígitos'],
    [{ cpf: '529.982.247-26' }, 'cpf: CPF inválido'],
    [{ cpf: '000.000.000-00' }, 'cpf: CPF inválido'],
    [{ phone: '123' }, 'phone: Telefone inválido'],
  ])('%j is refused with one message: %s', (extra, message) => expect(messagesOf(extra)).toEqual([message]))

  test.each(['manager', 'admin'])('a %s needs no responsible manager (ROLE-7)', (role) => {
    expect(messagesOf({ role, manager_id: null })).toEqual([])
  })

  test('a CPF is stored as digits, a blank one as null (ENT-2, CON-4)', () => {
    expect(userInput.parse({ ...person, cpf: '529.982.247-25' }).cpf).toBe('52998224725')
    expect(userInput.parse({ ...person, cpf: '' }).cpf).toBeNull()
    expect(userInput.parse(person).cpf).toBeUndefined()
  })
})

describe('a change', () => {
  test('has only the fields that were sent: absent stays absent (API-17)', () => {
    expect(userChange.parse({})).toEqual({})
    expect(userChange.parse({ cpf: null, password: '', company_id: null })).toEqual({
      cpf: null,
      password: '',
      company_id: null,
    })
    expect(userChange.safeParse({ password: 'curta' }).success).toBe(false)
  })

  test('is checked on the row after the change (ADM-29)', () => {
    expect(lacksManager({ role: 'technician', manager_id: null })).toBe(
      'Gestor responsável é obrigatório para técnicos',
    )
    expect(lacksManager({ role: 'technician', manager_id: 1 })).toBeNull()
    expect(lacksManager({ role: 'admin', manager_id: null })).toBeNull()
  })

  test('of a profile is a name of at most 30 and a login, nothing else (SET-4, CON-2, API-11)', () => {
    expect(profileChange.parse({ full_name: 'x'.repeat(30), role: 'admin', is_superuser: true })).toEqual({
      full_name: 'x'.repeat(30),
    })
    expect(profileChange.safeParse({ full_name: 'x'.repeat(31) }).error?.issues[0]?.message).toBe(
      'Máximo de 30 caracteres',
    )
  })
})

test('a search text that PostgreSQL cannot store is refused', () => {
  expect(userFilter.safeParse({ search: 'a\u0000' }).success).toBe(false)
})

describe('the last sign-in (ADM-10 to ADM-14)', () => {
  const now = new Date('2026-07-15T12:00:00Z')
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString()
  test.each([
    [null, 'Nunca'],
    [hoursAgo(0), 'Hoje'],
    [hoursAgo(23.9), 'Hoje'],
    [hoursAgo(24), 'Ontem'],
    [hoursAgo(47.9), 'Ontem'],
    [hoursAgo(48), '2 dias atrás'],
    [hoursAgo(7 * 24 - 0.1), '6 dias atrás'],
    [hoursAgo(7 * 24), '08/07/2026'],
  ])('%s: %s', (at, label) => expect(lastLoginLabel(at, now)).toBe(label))
})
