import { maskAllBut } from './mask.ts'

/**
 * Upper case without hyphen and spaces, as stored: LLLNNNN (old) or LLLNLNN (Mercosul, Contran 780/2019).
 */
export const barePlate = (text: string) => text.toUpperCase().replace(/[\s-]/g, '')

/** Accepted input: ABC-1234, ABC1234 or ABC1D23. Only the old pattern has a hyphen. */
export const isTypedPlate = (text: string) =>
  /^([A-Z]{3}-?\d{4}|[A-Z]{3}\d[A-Z]\d{2})$/.test(text.trim().toUpperCase())

/** The stored plate as shown: the old pattern with its hyphen, Mercosul unchanged. */
export const formatPlate = (bare: string) =>
  /^[A-Z]{3}\d{4}$/.test(bare) ? `${bare.slice(0, 3)}-${bare.slice(3)}` : bare

/**
 * The same vehicle's plate in the other pattern, by exchanging the second digit for a letter (0→A … 9→J) or
 * back; null when there is none.
 */
export function otherPlatePattern(bare: string) {
  const fifth = bare.charAt(4)
  if (/^[A-Z]{3}\d{4}$/.test(bare))
    return bare.slice(0, 4) + 'ABCDEFGHIJ'.charAt(Number(fifth)) + bare.slice(5)
  if (/^[A-Z]{3}\d[A-J]\d{2}$/.test(bare))
    return bare.slice(0, 4) + 'ABCDEFGHIJ'.indexOf(fifth) + bare.slice(5)
  return null
}

/**
 * 17 capitals or digits. I, O and Q, which NBR 6066 excludes, only cause a warning, so that no claim is lost.
 */
export const isChassis = (text: string) => /^[A-Z0-9]{17}$/.test(text)

/** The chassis with I read as 1, and O and Q as 0; null when it has none of them (D-15). */
export const correctedChassis = (text: string) =>
  /[IOQ]/i.test(text) ? text.toUpperCase().replaceAll('I', '1').replaceAll(/[OQ]/g, '0') : null

/** Of a chassis only so many of the last characters are shown. */
export const CHASSIS_SHOWN = 6
export const maskChassis = (chassis: string) => maskAllBut(CHASSIS_SHOWN, chassis)

/** Valid vehicle years: 1900 to next year, as model years run ahead of the calendar. */
export const FIRST_VEHICLE_YEAR = 1900
/** The latest valid vehicle year at `now`, in local time. */
export const lastVehicleYear = (now: Date) => now.getFullYear() + 1
