import { amountOf, centsOf, sumOf } from './money.ts'
import type { ClaimState } from './state.ts'

/** The amounts of a line, and of a claim, whose amounts are the sums of its lines. In R$. */
export interface Sums {
  claimed: number
  /** Null in a line that the brand has not decided; a claim has the sum of the others. */
  authorised: number | null
  paid: number
  debited: number
  written_off: number
  /** Claimed again by an appeal, and so no longer expected of this claim. */
  carried: number
}
export const SUM_NAMES = ['claimed', 'authorised', 'paid', 'debited', 'written_off', 'carried'] as const
export const SUM_LABEL: Record<(typeof SUM_NAMES)[number] | 'open', string> = {
  claimed: 'Solicitado',
  authorised: 'Autorizado',
  paid: 'Pago',
  debited: 'Estornado',
  written_off: 'Baixado',
  carried: 'Levado à reconsideração',
  open: 'Em aberto',
}

/** The amounts of a claim: those of its lines, added in cents. */
export const sumsOf = (lines: readonly Sums[]): Sums & { authorised: number } =>
  Object.fromEntries(
    SUM_NAMES.map((name) => [name, sumOf(lines.map((line) => line[name] ?? 0))]),
  ) as unknown as Sums & { authorised: number }

/**
 * What is still expected: claimed less paid, written off and carried. A debit does not raise it: the brand takes the
 * money back because it owes none, and whoever contests that claims it anew. Negative when more was paid than claimed.
 */
export const remainderOf = ({ claimed, paid, written_off, carried }: Sums) =>
  amountOf(centsOf(claimed) - centsOf(paid) - centsOf(written_off) - centsOf(carried))
/** The same as the lists show it: nothing is expected of a claim that was not sent, or was withdrawn. */
export const openOf = (state: ClaimState, sums: Sums) =>
  state === 'draft' || state === 'withdrawn' ? 0 : remainderOf(sums)

/** Nothing is expected any more; each missing cent was paid, written off with a reason, or is claimed by an appeal. */
export const isSettled = (sums: Sums) => centsOf(remainderOf(sums)) <= 0

/** What the brand said it would pay, and has not; nothing of what was given up or is claimed by an appeal. */
export const payableOf = (sums: Sums) =>
  amountOf(
    Math.max(0, Math.min(centsOf(sums.authorised ?? 0) - centsOf(sums.paid), centsOf(remainderOf(sums)))),
  )

/** What stayed with the company. */
export const receivedOf = ({ paid, debited }: Pick<Sums, 'paid' | 'debited'>) =>
  amountOf(centsOf(paid) - centsOf(debited))

/**
 * How much of what an appeal claims for a line is taken from what its former line still expects; the rest contests a
 * debit, and was not expected.
 */
export const carriedBy = (former: Sums, claimed: number) =>
  amountOf(Math.min(centsOf(claimed), Math.max(0, centsOf(remainderOf(former)))))
/**
 * The most an appeal may claim for a line: what is missing of it, and what was taken back. `contested`: what sent
 * appeals claim for the line already; what of it was not carried contests a debit.
 */
export const appealableOf = (line: Sums, contested = 0) => {
  const debits = centsOf(line.debited) - Math.max(0, centsOf(contested) - centsOf(line.carried))
  return amountOf(Math.max(0, centsOf(remainderOf(line))) + Math.max(0, debits))
}

export const ABOVE_LIMIT = 'A baixa passa do limite da empresa: somente administradores podem registrá-la.'
/** Whether all write-offs of a claim together, with this one, pass the company's limit, so that it cannot be split. */
export const passesLimit = (limit: number, written_off: number, added: number) =>
  centsOf(written_off) + centsOf(added) > centsOf(limit)

/** Whether an amount is taken for the expected one, within the brand's tolerance. */
export const isWithinTolerance = (expected: number, paid: number, tolerance: number) =>
  Math.abs(centsOf(expected) - centsOf(paid)) <= centsOf(tolerance)
