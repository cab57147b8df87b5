import { decideClaim } from '@garantia/server/features/claims/claim'
import type { TestApp } from '../support/test-app.ts'

export type Claim = Awaited<ReturnType<TestApp['make']['claim']>>

/** An answer of the brand with these amounts, none where there is none. */
export const authorising = ({ lines }: Pick<Claim, 'lines'>, ...amounts: number[]) =>
  lines.map(({ id: line_id }, index) => ({
    line_id,
    authorised: amounts[index] ?? 0,
    reason: 'not_covered' as const,
  }))

/** What the tests of claims' steps do with a claim of this installation. */
export function claimFixture({ kernel: { ctx }, make }: TestApp) {
  const decide = (claim: Claim, ...amounts: number[]) =>
    decideClaim(ctx, claim.id, { answer: 'decided', lines: authorising(claim, ...amounts) })
  const rejected = async (amounts = [10, 20]) => {
    const claim = await make.sendableClaim({ state: 'sent', amounts })
    await decide(claim)
    return claim
  }
  const eventsOf = (order_id: number) =>
    ctx.db
      .selectFrom('events')
      .where('subject', '=', 'order')
      .where('subject_id', '=', order_id)
      .where('kind', 'like', 'claim.%')
      .select(['kind', 'changes'])
      .orderBy('seq')
      .execute()
  return { decide, rejected, eventsOf }
}
