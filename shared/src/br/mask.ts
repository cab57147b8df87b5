/** Masks personal data, all but its last `shown` characters: 52998224725 → •••••••4725. */
export const maskAllBut = (shown: number, text: string) =>
  '•'.repeat(Math.max(0, text.length - shown)) + text.slice(-shown)

/** m•••@mail.example: first character and domain; the number of dots says nothing about the address. */
export function maskEmail(address: string) {
  const at = address.lastIndexOf('@')
  return at < 0 ? '•••' : `${at > 1 ? address.slice(0, 1) : ''}•••${address.slice(at)}`
}

/** Whether a value is a masked one: no chassis, document, phone or address has this sign. */
export const isMasked = (text: string) => text.includes('•')
export const MASKED_VALUE =
  'Este valor está oculto. Informe-o por inteiro ou deixe o campo fora da alteração.'
