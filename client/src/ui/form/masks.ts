import { bareDigits, bareTaxId } from '@garantia/shared/br/tax-id'
import { barePlate } from '@garantia/shared/br/vehicle'
import { type MaskitoOptions, maskitoTransform } from '@maskito/core'
import {
  type MaskitoNumberParams,
  maskitoNumberOptionsGenerator,
  maskitoParseNumber,
  maskitoStringifyNumber,
} from '@maskito/kit'

const DIGIT = /\d/
const LETTER = /[A-Z]/
const EITHER = /[A-Z0-9]/
const shape = (pattern: string) =>
  [...pattern].map((sign) => (sign === '9' ? DIGIT : sign === 'A' ? LETTER : sign === 'X' ? EITHER : sign))

const upperCase: NonNullable<MaskitoOptions['preprocessors']>[number] = ({ elementState, data }) => ({
  elementState: { ...elementState, value: elementState.value.toUpperCase() },
  data: data.toUpperCase(),
})

export const OS_NUMBER: MaskitoOptions = { mask: shape('999999') }
export const YEAR: MaskitoOptions = { mask: shape('9999') }
export const CHASSIS: MaskitoOptions = { mask: shape('X'.repeat(17)), preprocessors: [upperCase] }

/** The hyphen belongs to the old pattern, which is only recognizable at the fifth character. */
export const PLATE: MaskitoOptions = {
  mask: ({ value }) => shape(/^[A-Z]{3}\d{2}/.test(barePlate(value)) ? 'AAA-9999' : 'AAA9X99'),
  preprocessors: [upperCase],
}

/** The area code may be left out (MOD-13): it is one from the tenth digit on, or where its bracket was typed. */
export const PHONE: MaskitoOptions = {
  mask: ({ value }) => {
    const digits = bareDigits(value).length
    if (value.startsWith('(') || digits > 9) return shape(digits > 10 ? '(99) 99999-9999' : '(99) 9999-9999')
    return shape(digits > 8 ? '99999-9999' : '9999-9999')
  },
}

/** CPF up to eleven characters, CNPJ beyond or as soon as a letter appears (D-42). */
export const TAX_ID: MaskitoOptions = {
  mask: ({ value }) => {
    const bare = bareTaxId(value)
    return shape(/[A-Z]/.test(bare) || bare.length > 11 ? 'XX.XXX.XXX/XXXX-99' : '999.999.999-99')
  },
  preprocessors: [upperCase],
}

export const CPF: MaskitoOptions = { mask: shape('999.999.999-99') }
/** Letters are allowed except in the check digits (D-42). */
export const CNPJ: MaskitoOptions = { mask: shape('XX.XXX.XXX/XXXX-99'), preprocessors: [upperCase] }
export const ZIP_CODE: MaskitoOptions = { mask: shape('99999-999') }
export const STATE: MaskitoOptions = { mask: shape('AA'), preprocessors: [upperCase] }
export const maskedZipCode = (bare: string) => maskitoTransform(bare, ZIP_CODE)

/** Digits and slashes only: maskito's own date mask turns 31/02 into 03/03. */
export const DAY: MaskitoOptions = { mask: shape('99/99/9999') }
/** Day and time: «21/11/2026 14:05». */
export const MOMENT: MaskitoOptions = { mask: shape('99/99/9999 99:99') }

/** A typed minus stays, so that the schema can say that the number may not be negative. */
const MILEAGE_FORMAT: MaskitoNumberParams = { locale: 'pt-BR', maximumFractionDigits: 0 }
export const MILEAGE = maskitoNumberOptionsGenerator(MILEAGE_FORMAT)

const MONEY_FORMAT: MaskitoNumberParams = {
  locale: 'pt-BR',
  prefix: 'R$ ',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
}
export const MONEY = maskitoNumberOptionsGenerator(MONEY_FORMAT)

/** Number behind a masked text; null when blank. */
const numberIn = (format: MaskitoNumberParams) => (text: string) => {
  const value = maskitoParseNumber(text, format)
  return Number.isNaN(value) ? null : value
}
export const mileageIn = numberIn(MILEAGE_FORMAT)
export const moneyIn = numberIn(MONEY_FORMAT)
export const maskedMileage = (value: number | null) =>
  value === null ? '' : maskitoStringifyNumber(value, MILEAGE_FORMAT)
export const maskedMoney = (value: number | null) =>
  value === null ? '' : maskitoStringifyNumber(value, MONEY_FORMAT)
