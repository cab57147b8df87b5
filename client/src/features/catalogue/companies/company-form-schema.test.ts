import { describe, expect, test } from 'vitest'
import { changedFields } from '../../../lib/forms.ts'
import {
  type CompanyFields,
  companyForm,
  fieldInConflict,
  fieldsOf,
  hasOtherRoot,
} from './company-form-schema.ts'

const complaints = (fields: CompanyFields) =>
  Object.fromEntries(
    (companyForm.safeParse(fields).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  )
const filled = (change: Partial<CompanyFields> = {}): CompanyFields => ({
  ...fieldsOf(),
  trading_name: 'Auto Sul',
  legal_name: 'Auto Sul Ltda',
  tax_id: '11.222.333/0001-81',
  parent_id: '1',
  ...change,
})

test('a new company defaults to an active filial (COMP-26)', () =>
  expect(fieldsOf()).toMatchObject({ type: 'filial', is_active: true, parent_id: '' }))

test('an empty form reports all required fields at once (COMP-17, COMP-18, COMP-19, COMP-24)', () =>
  expect(complaints(fieldsOf())).toEqual({
    trading_name: 'Nome Fantasia é obrigatório',
    legal_name: 'Razão Social é obrigatória',
    tax_id: 'CNPJ é obrigatório',
    parent_id: 'Empresa Matriz é obrigatória para filiais',
  }))

test.each([
  ['a short CNPJ (COMP-20)', { tax_id: '11.222' }, { tax_id: 'CNPJ deve conter 14 dígitos' }],
  ['wrong check digits (COMP-21)', { tax_id: '11.222.333/0001-82' }, { tax_id: 'CNPJ inválido' }],
  ['one digit repeated (COMP-21)', { tax_id: '11.111.111/1111-11' }, { tax_id: 'CNPJ inválido' }],
  ['no type (COMP-23)', { type: '' }, { type: 'Tipo é obrigatório' }],
  ['half a state (COMP-25)', { state: 'S' }, { state: 'Estado deve ter 2 caracteres (ex: SP)' }],
  ['a matriz without parent', { type: 'matriz', parent_id: '' }, {}],
  ['a CNPJ with letters (D-42)', { tax_id: '12.ABC.345/01DE-35' }, {}],
])('%s', (_, change, expected) => expect(complaints(filled(change))).toEqual(expected))

test('a matriz is sent without parent, and masks are removed (COMP-27)', () =>
  expect(companyForm.parse(filled({ type: 'matriz', zip_code: '01310-100' }))).toMatchObject({
    type: 'matriz',
    parent_id: null,
    tax_id: '11222333000181',
    zip_code: '01310100',
  }))

describe('a change contains only changed fields (COMP-28)', () => {
  const before = filled()
  const change = (now: CompanyFields) => changedFields(before, now, companyForm.parse(now))

  test('one field', () => expect(change({ ...before, city: 'Curitiba' })).toEqual({ city: 'Curitiba' }))
  test('no field', () => expect(change({ ...before })).toEqual({}))
  test('a cleared field', () =>
    expect(changedFields({ ...before, city: 'Curitiba' }, before, companyForm.parse(before))).toEqual({
      city: null,
    }))
  test('a filial that becomes a matriz', () =>
    expect(change({ ...before, type: 'matriz', parent_id: '' })).toEqual({ type: 'matriz', parent_id: null }))
})

test('a conflict is mapped to its field', () => {
  expect(fieldInConflict('Já existe uma empresa com este CNPJ.')).toBe('tax_id')
  expect(fieldInConflict('A matriz possui 2 filiais e não pode virar filial.')).toBe('type')
  expect(fieldInConflict('Outro motivo')).toBeUndefined()
})

test('a filial with another CNPJ root only gets a hint (D-43)', () => {
  expect(hasOtherRoot('11.222.333/0002-62', '11222333000181')).toBe(false)
  expect(hasOtherRoot('12.ABC.345/01DE-35', '11222333000181')).toBe(true)
  expect(hasOtherRoot('12.ABC', '11222333000181')).toBe(false)
  expect(hasOtherRoot('12.ABC.345/01DE-35', undefined)).toBe(false)
})
