/**
 * Whether the text is a phone number: optional area code, with or without brackets, 4 or 5 digits, optional
 * hyphen, 4 digits (specification, section 5).
 */
export const isPhone = (text: string) => /^(\(\d{2}\)|\d{2})?\s?\d{4,5}-?\d{4}$/.test(text.trim())

/** «(11) 98765-4321», or «3456-7890» without area code; text with another number of digits is unchanged. */
export function formatPhone(text: string) {
  const digits = text.replace(/[^0-9]/g, '')
  const local = (part: string) => `${part.slice(0, -4)}-${part.slice(-4)}`
  if (digits.length === 10 || digits.length === 11) return `(${digits.slice(0, 2)}) ${local(digits.slice(2))}`
  if (digits.length === 8 || digits.length === 9) return local(digits)
  return text
}

/**
 * «+5511987654321», as dialled from anywhere (ITU-T E.164); null without an area code, whose region is not known.
 */
export function internationalPhone(text: string) {
  const digits = text.replace(/[^0-9]/g, '')
  return digits.length === 10 || digits.length === 11 ? `+55${digits}` : null
}
