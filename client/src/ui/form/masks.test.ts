import { maskitoTransform } from '@maskito/core'
import { describe, expect, test } from 'vitest'
import {
  CHASSIS,
  CNPJ,
  CPF,
  MILEAGE,
  MONEY,
  maskedMileage,
  maskedMoney,
  mileageIn,
  moneyIn,
  OS_NUMBER,
  PHONE,
  PLATE,
  STATE,
  TAX_ID,
  ZIP_CODE,
} from './masks.ts'

describe('masks applied to typed or pasted text', () => {
  test.each([
    ['OS number: six digits, nothing else', OS_NUMBER, 'OS 0012345', '001234'],
    ['plate of the old pattern gets its hyphen (MOD-17)', PLATE, 'abc1234', 'ABC-1234'],
    ['plate of the old pattern keeps its hyphen', PLATE, 'ABC-1234', 'ABC-1234'],
    ['Mercosul plate has none', PLATE, 'abc1d23', 'ABC1D23'],
    ['a plate ends after its last digit', PLATE, 'ABC-12345', 'ABC-1234'],
    ['chassis in capitals, without spaces', CHASSIS, '9bg rd08x 04g117974', '9BGRD08X04G117974'],
    ['mobile phone (MOD-14)', PHONE, '11987654321', '(11) 98765-4321'],
    ['landline', PHONE, '1134567890', '(11) 3456-7890'],
    ['a pasted number without area code stays one', PHONE, '3456-7890', '3456-7890'],
    ['CPF', TAX_ID, '52998224725', '529.982.247-25'],
    ['CNPJ from the twelfth digit on (MOD-16)', TAX_ID, '11222333000181', '11.222.333/0001-81'],
    ['CNPJ with letters', TAX_ID, '12abc34501de35', '12.ABC.345/01DE-35'],
    ['CPF of a person (ADM-38)', CPF, '5299822472599', '529.982.247-25'],
    ['CNPJ of a company (COMP-22)', CNPJ, '11222333000181', '11.222.333/0001-81'],
    ['CNPJ of a company with letters', CNPJ, '12abc34501de35', '12.ABC.345/01DE-35'],
    ['postal code', ZIP_CODE, '01310100', '01310-100'],
    ['state (COMP-25)', STATE, 'sp', 'SP'],
    ['mileage', MILEAGE, '45210', '45.210'],
    ['money', MONEY, '1234,5', 'R$ 1.234,50'],
    ['money below zero', MONEY, '-5', 'R$ −5,00'],
    ['mileage below zero', MILEAGE, '-5', '−5'],
  ])('%s', (_, mask, typed, shown) => expect(maskitoTransform(typed, mask)).toBe(shown))
})

test('masked numbers are parsed as numbers, and blanks as null', () => {
  expect(moneyIn('R$ 1.234,50')).toBe(1234.5)
  expect(moneyIn('R$ 0,00')).toBe(0)
  expect(moneyIn('')).toBeNull()
  expect(mileageIn('45.210')).toBe(45_210)
  expect(mileageIn('')).toBeNull()
  expect(maskedMoney(1234.5)).toBe('R$ 1.234,50')
  expect(maskedMileage(45_210)).toBe('45.210')
  expect(maskedMoney(null)).toBe('')
})

test('a phone number may be typed with or without its area code (MOD-13, MOD-14)', () => {
  const typed = (keys: string) => {
    const shown: string[] = []
    for (const key of keys) shown.push(maskitoTransform((shown.at(-1) ?? '') + key, PHONE))
    return shown
  }
  expect(typed('34567890').at(-1)).toBe('3456-7890')
  expect(typed('987654321').at(-1)).toBe('98765-4321')
  expect(typed('11987654321').slice(6)).toEqual([
    '1198-765',
    '1198-7654',
    '11987-6543',
    '(11) 9876-5432',
    '(11) 98765-4321',
  ])
  expect(typed('(1134567890').slice(0, 4)).toEqual(['(', '(1', '(11', '(11) 3'])
})

test('an amount or a mileage below zero is read as one, for the schema to refuse', () => {
  for (const text of ['R$ −5,00', '−R$ 5,00']) expect(moneyIn(text)).toBe(-5)
  expect(mileageIn('−5')).toBe(-5)
})
