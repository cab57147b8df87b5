import { z } from 'zod'

/**
 * Amounts are R$ with two decimals, as in orders: numbers in JSON, numeric(14,2) in the database. Nothing is added or
 * compared but in whole cents, which a number holds exactly up to 90 trillion reais.
 */
export const AMOUNT_MAX = 999_999_999.99

/** R$ as whole cents. */
export const centsOf = (amount: number) => Math.round(amount * 100)
/** Whole cents as R$. */
export const amountOf = (cents: number) => cents / 100
/** The sum of amounts in R$, without losing a cent. */
export const sumOf = (amounts: readonly number[]) =>
  amountOf(amounts.reduce((sum, amount) => sum + centsOf(amount), 0))

const hasCents = (value: number) => Math.abs(Math.round(value * 100) - value * 100) < 1e-4
/** From R$ 0,00. */
export const amount = z
  .number('Deve ser um valor em reais')
  .min(0, 'O valor não pode ser negativo')
  .max(AMOUNT_MAX, 'Valor acima do máximo permitido')
  .refine(hasCents, 'Use no máximo duas casas decimais')
/** From R$ 0,01. */
export const positiveAmount = amount.refine((value) => value >= 0.01, 'O valor deve ser maior que zero')

/**
 * Divides whole cents over lines in proportion to their weights, by largest remainders: what the parts lose by rounding
 * down goes, a cent each, to those that lost most, the first one first. The parts add up to `cents`. Without any weight
 * everything goes to the first line. Both must be whole and not negative; there must be a line.
 */
export function splitCents(cents: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (total === 0n) return weights.map((_, index) => (index === 0 ? cents : 0))
  const shares = weights.map((weight, index) => {
    const exact = BigInt(cents) * BigInt(weight)
    return { index, cents: Number(exact / total), lost: exact % total }
  })
  const missing = cents - shares.reduce((sum, share) => sum + share.cents, 0)
  const byLoss = [...shares].sort((a, b) =>
    a.lost === b.lost ? a.index - b.index : a.lost < b.lost ? 1 : -1,
  )
  for (const share of byLoss.slice(0, missing)) share.cents++
  return shares.map((share) => share.cents)
}
