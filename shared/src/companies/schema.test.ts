import { describe, expect, test } from 'vitest'
import { companyChange, companyFilter, companyInput, companyPaging, missingParentMessage } from './schema.ts'

const company = { trading_name: 'Nova', legal_name: 'Nova Ltda', tax_id: '11222333000181', type: 'matriz' }
const messagesOf = (extra: Record<string, unknown>) =>
  companyInput
    .safeParse({ ...company, ...extra })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('a new company (COMP-17 to COMP-25)', () => {
  test.each([
    [{ trading_name: '' }, 'trading_name: Nome Fantasia é obrigatório'],
    [{ legal_name: ' ' }, 'legal_name: Razão Social é obrigatória'],
    [{ tax_id: '' }, 'tax_id: CNPJ é obrigatório'],
    [{ tax_id: '11.222.333/0001-8' }, 'tax_id: CNPJ deve conter 14 dígitos'],
    [{ tax_id: '11.222.333/0001-82' }, 'tax_id: CNPJ inválido'],
    [{ tax_id: '00.000.000/0000-00' }, 'tax_id: CNPJ inválido'],
    [{ tax_id: '12.ABC.345/01DE-34' }, 'tax_id: CNPJ inválido'],
    [{ type: undefined }, 'type: Tipo é obrigatório'],
    [{ type: 'filial' }, 'parent_id: Empresa Matriz é obrigatória para filiais'],
    [{ type: 'filial', parent_id: null }, 'parent_id: Empresa Matriz é obrigatória para filiais'],
    [{ state: 'SPX' }, 'state: Estado deve ter 2 caracteres (ex: SP)'],
    [{ state: 'S' }, 'state: Estado deve ter 2 caracteres (ex: SP)'],
    [{ state: 'XX' }, 'state: Estado não existe (ex: SP)'],
    [{ zip_code: 'abc' }, 'zip_code: CEP deve conter 8 dígitos'],
    [{ zip_code: '80010-000x' }, 'zip_code: CEP deve conter 8 dígitos'],
    [{ email: 'x@' }, 'email: Endereço de email inválido'],
    [{ zip_code: '123' }, 'zip_code: CEP deve conter 8 dígitos'],
    [{ brand_ids: [0] }, 'brand_ids.0: Deve ser maior que zero'],
  ])('%j is refused with one message: %s', (extra, message) => expect(messagesOf(extra)).toEqual([message]))

  test('is stored without masks, letters of a CNPJ in upper case (ENT-5, CON-5, CON-6, D-42)', () => {
    const given = { tax_id: '12.abc.345/01de-35', state: 'sp', zip_code: '01310-100', city: '  ', phone: '' }
    expect(companyInput.parse({ ...company, ...given })).toMatchObject({
      tax_id: '12ABC34501DE35',
      state: 'SP',
      zip_code: '01310100',
      city: null,
      phone: null,
    })
  })
})

test('a change has only the fields that were sent (COMP-28)', () => {
  expect(companyChange.parse({})).toEqual({})
  expect(companyChange.parse({ parent_id: null })).toEqual({ parent_id: null })
})

test('a filial without a matriz is detected on the row after the change (ENT-6)', () => {
  expect(missingParentMessage({ type: 'filial', parent_id: null })).toBe(
    'Empresa Matriz é obrigatória para filiais',
  )
  expect(missingParentMessage({ type: 'filial', parent_id: 1 })).toBeNull()
  expect(missingParentMessage({ type: 'matriz', parent_id: null })).toBeNull()
})

test.each([
  { search: 'a\u0000' },
  { search: 'x'.repeat(201) },
  { type: 'rede' },
  { skip: -1 },
  { limit: 101 },
])('the filter %j is refused', (filter) => expect(companyFilter.safeParse(filter).success).toBe(false))
test.each([{ page: 0 }, { page: 1.5 }, { size: 0 }, { size: 101 }])('the page %j is refused', (page) => {
  expect(companyPaging.safeParse(page).success).toBe(false)
})
