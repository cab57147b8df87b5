import { bareTaxId, checkDigit, isOneCharacterRepeated } from './tax-id.ts'

/**
 * Access key of a fiscal document (NF-e): state, year and month, CNPJ of the issuer, model, series, number, type of
 * issue, code and check digit. Since July 2026 the CNPJ may have letters, which count in the check digit as in the CNPJ:
 * ASCII code − 48 (NT conjunta 2025.001).
 */
const LENGTH = 44
const SHAPE = /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/

/** The key as it is stored, of one printed in groups, with points, or as the Id of the XML («NFe35…»). */
export const bareAccessKey = (text: string) => bareTaxId(text).replace(/^NFE/, '')

/** Portuguese message of what is wrong with a bare key; null when nothing is. */
export function accessKeyProblem(bare: string): string | null {
  if (bare.length !== LENGTH) return `A chave da NF tem ${LENGTH} caracteres, e esta tem ${bare.length}`
  if (!SHAPE.test(bare)) return 'A chave da NF só tem números, e letras apenas no CNPJ (7º ao 18º caractere)'
  if (isOneCharacterRepeated(bare) || checkDigit(bare.slice(0, -1), 9) !== bare.slice(-1))
    return 'A chave da NF não confere com o dígito verificador: compare-a com a da nota'
  return null
}

/** In groups of four, as it is printed. */
export const formatAccessKey = (bare: string) => bare.replace(/(.{4})(?=.)/g, '$1 ')
