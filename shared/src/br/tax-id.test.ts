import { describe, expect, test } from 'vitest'
import { bareTaxId, formatTaxId, isCnpj, isCpf, isCustomerDocument } from './tax-id.ts'

describe('CPF and CNPJ check digits (CON-4, CON-5, D-42)', () => {
  test.each([
    ['52998224725', true],
    ['11111111111', false],
    ['52998224724', false],
    ['5299822472', false],
    ['', false],
  ])('CPF %s is %s', (bare, expected) => expect(isCpf(bare)).toBe(expected))

  test.each([
    ['11222333000181', true],
    ['00000000000191', true],
    ['11111111111111', false],
    ['12ABC34501DE35', true],
    ['12ABC34501DE34', false],
    ['12abc34501de35', false],
    ['112223330001', false],
  ])('CNPJ %s is %s', (bare, expected) => expect(isCnpj(bare)).toBe(expected))

  test('an alphanumeric CNPJ keeps its letters when the mask is removed', () =>
    expect(bareTaxId('12.abc.345/01de-35')).toBe('12ABC34501DE35'))

  test('a customer document with letters or more than 11 characters is read as a CNPJ', () => {
    expect(isCustomerDocument('12ABC34501DE35')).toBe(true)
    expect(isCustomerDocument('52998224725')).toBe(true)
    expect(isCustomerDocument('529982247250')).toBe(false)
  })

  test('masks follow the length', () => {
    expect(formatTaxId('52998224725')).toBe('529.982.247-25')
    expect(formatTaxId('12ABC34501DE35')).toBe('12.ABC.345/01DE-35')
  })
})
