/**
 * CPF and CNPJ. Since July 2026 a CNPJ may have letters in its first 12 characters (IN RFB 2.229/2024): the
 * value of a character is its ASCII code − 48, and both check digits are modulo 11 with weights 2..9 from the
 * right. The same routine covers numeric CNPJs and the CPF.
 */
const worth = (character: string) => character.charCodeAt(0) - 48

/** Check digit modulo 11 with weights from 2 up, from the right. */
export function checkDigit(body: string, highestWeight: number) {
  let sum = 0
  let weight = 2
  for (let i = body.length - 1; i >= 0; i--) {
    sum += worth(body.charAt(i)) * weight
    weight = weight === highestWeight ? 2 : weight + 1
  }
  const rest = sum % 11
  return String(rest < 2 ? 0 : 11 - rest)
}
const hasValidCheckDigits = (value: string, bodyLength: number, highestWeight: number) => {
  const body = value.slice(0, bodyLength)
  const first = checkDigit(body, highestWeight)
  return value.slice(bodyLength) === first + checkDigit(body + first, highestWeight)
}
export const isOneCharacterRepeated = (value: string) => /^(.)\1*$/.test(value)

/**
 * Upper case, without spaces, invisible characters and the punctuation of masks. Letters are kept: they may be part of a
 * CNPJ. So is any other sign, which makes the number invalid (D-63).
 */
export const bareTaxId = (text: string) =>
  text.replace(/[\s./\p{Pd}\p{Cf}]/gu, '').replace(/[a-z]/g, (letter) => letter.toUpperCase())
/** Whether a text has nothing but digits and the characters of a mask: letters must not vanish unseen. */
export const isDigitsWithMask = (text: string) => /^[\d\s./-]*$/.test(text)
/** The digits of a text. */
export const bareDigits = (text: string) => text.replace(/[^0-9]/g, '')

/** Whether 11 digits without mask are a valid CPF; one digit repeated is not. */
export const isCpf = (bare: string) =>
  /^\d{11}$/.test(bare) && !isOneCharacterRepeated(bare) && hasValidCheckDigits(bare, 9, 11)
/** Whether 14 characters without mask are a valid CNPJ; letters must be upper case. */
export const isCnpj = (bare: string) =>
  /^[0-9A-Z]{12}\d{2}$/.test(bare) && !isOneCharacterRepeated(bare) && hasValidCheckDigits(bare, 12, 9)

/**
 * Whether a customer document is valid: a CNPJ when it has letters or over 11 characters, else a CPF (D-42).
 */
export const isCustomerDocument = (bare: string) =>
  /[A-Z]/.test(bare) || bare.length > 11 ? isCnpj(bare) : isCpf(bare)

/** 52998224725 → «529.982.247-25». */
export const formatCpf = (bare: string) => bare.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
/** 11222333000181 → «11.222.333/0001-81». */
export const formatCnpj = (bare: string) => bare.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
/** Formats a CPF (11 characters) or a CNPJ. */
export const formatTaxId = (bare: string) => (bare.length === 11 ? formatCpf(bare) : formatCnpj(bare))
