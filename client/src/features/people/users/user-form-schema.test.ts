import { describe, expect, test } from 'vitest'
import { changedFields } from '../../../lib/forms.ts'
import {
  editUserForm,
  FIELD_NAMES,
  fieldInConflict,
  fieldsOf,
  firstOf,
  newUserForm,
  type UserFields,
} from './user-form-schema.ts'

const complaints = (form: typeof newUserForm, fields: UserFields) =>
  Object.fromEntries(
    (form.safeParse(fields).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  )
const person: UserFields = {
  ...fieldsOf(),
  full_name: 'Ana Prado',
  email: 'ana@exemplo.com.br',
  company_id: '3',
  manager_id: '2',
}
const secret = { password: 'segredo-123', confirm_password: 'segredo-123' }

test('an empty form reports all required fields at once (ADM-25, ADM-26, ADM-28, ADM-29, ADM-31)', () =>
  expect(complaints(newUserForm, fieldsOf())).toEqual({
    full_name: 'Nome completo é obrigatório',
    email: 'Email ou nome de usuário é obrigatório',
    company_id: 'Empresa é obrigatória',
    manager_id: 'Gestor responsável é obrigatório para técnicos',
    password: 'Senha é obrigatória',
    confirm_password: 'Confirmação de senha é obrigatória',
  }))

test.each([
  ['a good person', {}, {}],
  ['no role (ADM-27)', { role: '' }, { role: 'Função é obrigatória' }],
  ['a manager without manager (ADM-29)', { role: 'manager', manager_id: '' }, {}],
  ['a short CPF (ADM-36)', { cpf: '529.982' }, { cpf: 'CPF deve conter 11 dígitos' }],
  ['a wrong CPF (ADM-37)', { cpf: '529.982.247-24' }, { cpf: 'CPF inválido' }],
  ['a CPF of one digit (ADM-37)', { cpf: '111.111.111-11' }, { cpf: 'CPF inválido' }],
  [
    'a short password',
    { password: 'curta', confirm_password: 'curta' },
    { password: 'Senha deve ter pelo menos 8 caracteres' },
  ],
  [
    'another confirmation',
    { confirm_password: 'outra-coisa' },
    { confirm_password: 'As senhas não coincidem' },
  ],
])('new: %s', (_, change, expected) =>
  expect(complaints(newUserForm, { ...person, ...secret, ...change })).toEqual(expected),
)

describe('editing a user', () => {
  const change = (now: UserFields) => changedFields(person, now, editUserForm.parse(now))

  test('a blank password is omitted (ADM-32), and a phone is sent without its mask (D-52)', () =>
    expect(change({ ...person, phone: '(11) 98765-4321' })).toEqual({ phone: '11987654321' }))
  test('a new password is sent without its confirmation', () =>
    expect(change({ ...person, ...secret })).toEqual({ password: 'segredo-123' }))
  test('a new password must be long enough and confirmed', () =>
    expect(complaints(editUserForm, { ...person, password: 'curta' })).toEqual({
      password: 'Senha deve ter pelo menos 8 caracteres',
      confirm_password: 'Confirmação de senha é obrigatória',
    }))
  test('a technician promoted to manager loses the manager field (ADM-30)', () =>
    expect(change({ ...person, role: 'manager', manager_id: '' })).toEqual({
      role: 'manager',
      manager_id: undefined,
    }))
  test('a cleared CPF is sent as null', () =>
    expect(changedFields({ ...person, cpf: '529.982.247-25' }, person, editUserForm.parse(person))).toEqual({
      cpf: null,
    }))
})

test('the first invalid field in reading order selects the tab (ADM-21 to ADM-24)', () => {
  expect(firstOf(['password', 'company_id'])).toMatchObject({
    tab: { title: 'Organização' },
    field: 'company_id',
  })
  expect(firstOf(['confirm_password', 'email'])).toMatchObject({
    tab: { title: 'Dados Pessoais' },
    field: 'email',
  })
  expect(firstOf(['confirm_password'])).toMatchObject({ tab: { title: 'Segurança' } })
  expect(firstOf([])).toBeUndefined()
})

test('every field belongs to a tab', () =>
  expect([...FIELD_NAMES].sort()).toEqual(Object.keys(fieldsOf()).sort()))

test('a conflict is mapped to its field', () => {
  expect(fieldInConflict('Já existe um usuário com este email.')).toBe('email')
  expect(fieldInConflict('O último superusuário ativo não pode ser removido.')).toBeUndefined()
})
