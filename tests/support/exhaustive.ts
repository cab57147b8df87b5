import { createRequire } from 'node:module'

/** A CommonJS module whose exports Node's own loader, and with it Playwright, cannot name. */
const { make } = createRequire(import.meta.url)('covertable') as typeof import('covertable')

/** Whether this run covers every combination (`npm test -- exhaustive`), or each value and each pair. */
export const isExhaustive = process.env.EXHAUSTIVE === 'true'

/** The count that this level of run needs, such as the runs of a property. */
export const count = (levels: { exhaustive: number; default: number }) =>
  isExhaustive ? levels.exhaustive : levels.default

type Factors = Record<string, readonly unknown[]>
type Combination<F extends Factors> = { [Name in keyof F]: F[Name][number] }

/**
 * Combinations of the values of all factors: every one in the exhaustive run, otherwise few that contain each pair
 * of values. The choice is the same in every run.
 */
export const combinations = <const F extends Factors>(factors: F): Combination<F>[] =>
  isExhaustive ? everyCombination(factors) : pairwise(factors)

export const pairwise = <const F extends Factors>(factors: F) =>
  make(factors as unknown as Record<string, unknown[]>) as Combination<F>[]

const everyCombination = <const F extends Factors>(factors: F) =>
  Object.entries(factors).reduce<object[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  ) as Combination<F>[]
