import { amountOf, centsOf } from './money.ts'
import type { Difference } from './reasons.ts'
import type { LineOutcome } from './remittance.ts'
import type { RemittanceLine } from './remittance-line.ts'
import type { ClaimState } from './state.ts'
import { payableOf, type Sums } from './sums.ts'

/** A claim that a line of a remittance may mean. */
export interface Candidate extends Sums {
  id: number
  state: ClaimState
  brand_number: string | null
  os_number: string
  vehicle_chassis: string | null
}
export interface JudgedRemittanceLine {
  outcome: LineOutcome
  claim_id: number | null
  /** What was still authorised and not paid before this line, in R$; null without a claim. */
  expected: number | null
  difference: Difference | null
}
type Line = RemittanceLine & { fingerprint: string }

/** Fewer characters of a chassis do not tell two vehicles apart. */
export const CHASSIS_END_LEAST = 4

const isDecided = ({ state }: Candidate) =>
  !['draft', 'sent', 'in_review', 'returned', 'withdrawn'].includes(state)
const isSent = ({ state }: Candidate) => state !== 'draft' && state !== 'withdrawn'

const hasChassisEnd = ({ vehicle_chassis }: Candidate, end: string) =>
  vehicle_chassis?.toUpperCase().endsWith(end) ?? false
/** Whether the line names another order or vehicle than the claim's. */
const contradicts = (claim: Candidate, { os_number, chassis_end }: Line) =>
  (os_number !== null && os_number !== claim.os_number) ||
  (chassis_end !== null && claim.vehicle_chassis !== null && !hasChassisEnd(claim, chassis_end))

/**
 * Compares the lines of a remittance with claims, in their order. A claim is found by the brand's number exactly, else
 * by OS, end of the chassis and amount together, never by the amount alone; where several remain, none is taken. A
 * line matches when it pays what is still authorised of its claim, within `tolerance`; several lines with the number of
 * one claim match when they do so together. `repeated` has the fingerprints of lines of earlier remittances.
 */
export function matchLines(
  lines: readonly Line[],
  claims: readonly Candidate[],
  { tolerance, repeated }: { tolerance: number; repeated: ReadonlySet<string> },
): JudgedRemittanceLine[] {
  const byNumber = Map.groupBy(
    claims.filter(({ brand_number }) => brand_number !== null),
    ({ brand_number }) => brand_number,
  )
  const byOs = Map.groupBy(claims, ({ os_number }) => os_number)
  const left = new Map(claims.map((claim) => [claim.id, centsOf(payableOf(claim))]))
  const leftOf = ({ id }: Candidate) => left.get(id) ?? 0
  const fits = (claim: Candidate, cents: number) =>
    isDecided(claim) && leftOf(claim) > 0 && Math.abs(leftOf(claim) - cents) <= centsOf(tolerance)
  const find = (line: Line) => foundClaim(line, byNumber, byOs, (claim) => fits(claim, centsOf(line.amount)))

  const seen = new Set(repeated)
  const judged: (JudgedRemittanceLine | undefined)[] = []
  const partial: { index: number; cents: number; claim: Candidate }[] = []
  for (const [index, line] of lines.entries()) {
    const { claim, difference: doubt } = find(line)
    const expected = claim && amountOf(leftOf(claim))
    const answer = (outcome: LineOutcome, difference: Difference | null) => {
      judged[index] = { outcome, claim_id: claim?.id ?? null, expected, difference }
    }
    const isRepeated = seen.has(line.fingerprint)
    seen.add(line.fingerprint)
    const cents = centsOf(line.amount)
    if (isRepeated) answer('duplicate', 'duplicate')
    else if (!claim) answer('unknown', doubt)
    else if (doubt) answer('differing', doubt)
    else if (fits(claim, cents)) {
      answer('matched', null)
      left.set(claim.id, 0)
    } else {
      const difference = differenceOf(claim, cents, leftOf(claim))
      answer(difference === 'already_paid' ? 'already_paid' : 'differing', difference)
      const isPart = cents > 0 && difference === 'paid_less'
      if (isPart && claim.brand_number === line.brand_number) partial.push({ index, cents, claim })
    }
  }
  for (const parts of Map.groupBy(partial, ({ claim }) => claim.id).values()) {
    const claim = parts[0]?.claim
    const sum = parts.reduce((total, { cents }) => total + cents, 0)
    if (!claim || parts.length < 2 || !fits(claim, sum)) continue
    left.set(claim.id, 0)
    for (const { index } of parts) {
      const one = judged[index]
      if (one) judged[index] = { ...one, outcome: 'matched', difference: null }
    }
  }
  return judged.flatMap((one) => one ?? [])
}

interface Found {
  claim: Candidate | null
  /** Why no claim was found, or why this one is not taken without a person. */
  difference: Difference | null
}
const notFound = (difference: Difference): Found => ({ claim: null, difference })
function foundClaim(
  line: Line,
  byNumber: ReadonlyMap<string | null, readonly Candidate[]>,
  byOs: ReadonlyMap<string, readonly Candidate[]>,
  fits: (claim: Candidate) => boolean,
): Found {
  const { brand_number, os_number, chassis_end } = line
  const numbered = (brand_number !== null && byNumber.get(brand_number)) || []
  if (numbered.length > 0) {
    const agreeing = numbered.filter((claim) => !contradicts(claim, line))
    const [claim] = numbered
    if (agreeing.length === 0 && claim && numbered.length === 1) return { claim, difference: 'other_order' }
    return onlyOne(agreeing, fits)
  }
  if (os_number === null || chassis_end === null || chassis_end.length < CHASSIS_END_LEAST)
    return notFound('unknown')
  // A claim that has another number at the brand is another one.
  const alike = (byOs.get(os_number) ?? []).filter(
    (claim) => hasChassisEnd(claim, chassis_end) && (brand_number === null || claim.brand_number === null),
  )
  return onlyOne(alike, fits)
}

/** The one whose amount fits, the only one that was sent, or the only one. */
function onlyOne(claims: readonly Candidate[], fits: (claim: Candidate) => boolean): Found {
  if (claims.length === 0) return notFound('unknown')
  for (const some of [claims.filter(fits), claims.filter(isSent), claims]) {
    const [claim, ...others] = some
    if (claim && others.length === 0) return { claim, difference: null }
    if (some.length > 1) return notFound('several')
  }
  return notFound('several')
}

function differenceOf(claim: Candidate, cents: number, left: number): Difference {
  if (!isSent(claim)) return 'not_sent'
  if (!isDecided(claim)) return 'not_decided'
  if (cents < 0) return 'debited'
  if (left > 0) return cents < left ? 'paid_less' : 'paid_more'
  return centsOf(claim.authorised ?? 0) === 0 && centsOf(claim.paid) === 0 ? 'rejected' : 'already_paid'
}
