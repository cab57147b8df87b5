import { centsOf, sumOf } from '@garantia/shared/claims/money'
import { claimName } from '@garantia/shared/claims/state'
import { decidedState, moneyState } from '@garantia/shared/claims/steps'
import { carriedBy } from '@garantia/shared/claims/sums'
import { isoDay } from '@garantia/shared/format'
import type { Ctx } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { noteDue } from './due.ts'
import { type Claim, findClaim, linesOf } from './queries.ts'
import { personOf, writeStep } from './step.ts'

/**
 * What an appeal that is sent claims is no longer expected of the lines it contests: one entry for each of which
 * something was expected. The order is locked by the caller, and its lines were checked.
 */
export async function carryOver(ctx: Ctx, appeal: Claim, os_number: string) {
  if (appeal.type !== 'appeal' || appeal.previous_id === null) return
  const former = new Map((await linesOf(ctx, [appeal.previous_id])).map((line) => [line.id, line]))
  const rows = (await linesOf(ctx, [appeal.id])).flatMap((line) => {
    const contested = former.get(line.previous_id ?? 0)
    const amount = contested ? carriedBy(contested, line.claimed) : 0
    return contested && centsOf(amount) > 0
      ? [{ ...entryOf(ctx, contested.claim_id), line_id: contested.id, amount, appeal_line_id: line.id }]
      : []
  })
  if (rows.length > 0) await ctx.db.insertInto('claim_entries').values(rows).execute()
  await afterCarrying(ctx, appeal, os_number, sumOf(rows.map(({ amount }) => amount)))
}

/** Withdrawn, the appeal's amounts are expected of the claim before again: each entry is reversed. */
export async function carryBack(ctx: Ctx, appeal: Claim, about: { os_number: string; reason: string }) {
  if (appeal.type !== 'appeal' || appeal.previous_id === null || appeal.state === 'draft') return
  const entries = await ctx.db
    .selectFrom('claim_entries')
    .innerJoin('claim_lines', 'claim_lines.id', 'claim_entries.appeal_line_id')
    .where('claim_lines.claim_id', '=', appeal.id)
    .where('corrects_id', 'is', null)
    .select(['claim_entries.id', 'claim_entries.claim_id', 'line_id', 'amount', 'appeal_line_id'])
    .execute()
  const rows = entries.map(({ id, claim_id, line_id, amount, appeal_line_id }) => ({
    ...entryOf(ctx, claim_id),
    line_id,
    appeal_line_id,
    amount: -amount,
    corrects_id: id,
    reason: about.reason,
  }))
  if (rows.length > 0) await ctx.db.insertInto('claim_entries').values(rows).execute()
  await afterCarrying(ctx, appeal, about.os_number, sumOf(rows.map(({ amount }) => amount)))
}

const entryOf = (ctx: Ctx, claim_id: number) => ({
  claim_id,
  kind: 'carry' as const,
  booked_on: isoDay(ctx.clock()),
  ...personOf(ctx.actor),
  created_at: ctx.clock(),
})

/** The claim before: its next version, the event, and what is due of it; one that was reconciled no longer is. */
async function afterCarrying(ctx: Ctx, appeal: Claim, os_number: string, carried: number) {
  const previous = await findClaim(ctx, appeal.previous_id ?? 0).executeTakeFirstOrThrow()
  if (carried !== 0) {
    const isReopened = previous.state === 'reconciled' && previous.open_amount > 0
    const lines = isReopened ? await linesOf(ctx, [previous.id]) : []
    const decided = decidedState(lines.map((line) => ({ ...line, authorised: line.authorised ?? 0 })))
    await writeStep(
      ctx,
      previous.id,
      isReopened ? { state: moneyState(decided, previous), reconciled_at: null } : {},
    )
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: appeal.order_id,
      kind: 'claim.carried',
      changes: {
        claim: claimName({ os_number, n: previous.n }),
        appeal: claimName({ os_number, n: appeal.n }),
        carried,
      },
    })
  }
  await noteDue(ctx, previous.id)
}
