import { maskAllBut } from './mask.ts'

/** Stored plates have 7 characters without hyphen: LLLNNNN (old) or LLLNLNN (Mercosul, Contran 780/2019). */
export const barePlate = (text: string) => text.toUpperCase().replace(/[\s-]/g, '')

/** What a person may type: ABC-1234, ABC1234 or ABC1D23. A hyphen belongs to the old pattern alone. */
export const isTypedPlate = (text: string) =>
  /^([A-Z]{3}-?\d{4}|[A-Z]{3}\d[A-Z]\d{2})$/.test(text.trim().toUpperCase())

export const formatPlate = (bare: string) =>
  /^[A-Z]{3}\d{4}$/.test(bare) ? `${bare.slice(0, 3)}-${bare.slice(3)}` : bare

/** A plate of the old pattern becomes Mercosul by turning its second digit into a letter (0→A … 9→J). */
export function otherPlatePattern(bare: string) {
  const fifth = bare.charAt(4)
  if (/^[A-Z]{3}\d{4}$/.test(bare))
    return bare.slice(0, 4) + 'ABCDEFGHIJ'.charAt(Number(fifth)) + bare.slice(5)
  if (/^[A-Z]{3}\d[A-J]\d{2}$/.test(bare))
    return bare.slice(0, 4) + 'ABCDEFGHIJ'.indexOf(fifth) + bare.slice(5)
  return null
}

/** 17 characters; I, O and Q only deserve a warning (NBR 6066 excludes them, but no claim may be lost to it). */
export const isChassis = (text: string) => /^[A-Z0-9]{17}$/.test(text)

/** The same number with what I, O and Q were most likely meant to be; null when it has none (D-15). */
export const correctedChassis = (text: string) =>
  /[IOQ]/i.test(text) ? text.toUpperCase().replaceAll('I', '1').replaceAll(/[OQ]/g, '0') : null

/** The screen shows only the end of a chassis number. */
export const maskChassis = (chassis: string) => maskAllBut(6, chassis)

/** Years a vehicle may carry: 1900 to next year (model years run ahead of the calendar). */
export const FIRST_VEHICLE_YEAR = 1900
export const lastVehicleYear = (now: Date) => now.getFullYear() + 1
