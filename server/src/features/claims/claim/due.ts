import { dueOf } from '@garantia/shared/claims/deadlines'
import { calendarDayIn, zoneOf } from '@garantia/shared/claims/legal-clock'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'

/**
 * Notes what is due next of a claim, from its state, its days and the windows of its brand. Called at the end of each
 * step, in its transaction.
 */
export const noteDue = (ctx: Ctx, claim_id: number) => noteDues(ctx, [claim_id])

/** The same of many claims, in two statements. */
export async function noteDues(ctx: Ctx, claim_ids: readonly number[]) {
  const found = await ctx.db
    .selectFrom('claims')
    .innerJoin('service_orders', 'service_orders.id', 'claims.order_id')
    .innerJoin('brands', 'brands.id', 'claims.brand_id')
    .innerJoin('companies', 'companies.id', 'claims.company_id')
    .leftJoin('defect_visits', 'defect_visits.order_id', 'claims.order_id')
    .where(sql<boolean>`claims.id = any(${[...claim_ids]}::bigint[])`)
    .select([
      'claims.id',
      'claims.state',
      'claimed',
      'authorised',
      'paid',
      'debited',
      'written_off',
      'carried',
    ])
    .select(['answered_at', 'completed_at', 'repaired_at', 'companies.state as federal_state'])
    .select(['claim_send_days', 'claim_return_days', 'claim_appeal_days', 'claim_part_days'])
    .select(['claim_answer_days', 'claim_credit_days'])
    .select((eb) => [
      // The brand's time runs from the newest sending.
      eb.fn
        .coalesce(
          eb
            .selectFrom('claim_submissions')
            .whereRef('claim_id', '=', 'claims.id')
            .select('claim_submissions.sent_at')
            .orderBy('n', 'desc')
            .limit(1),
          'claims.sent_at',
        )
        .as('sent_at'),
      eb
        .exists(
          eb
            .selectFrom('claims as appeal')
            .whereRef('appeal.previous_id', '=', 'claims.id')
            .where('appeal.type', '=', 'appeal')
            .where('appeal.state', 'not in', ['draft', 'withdrawn'])
            .select('appeal.id'),
        )
        .as('is_appealed'),
    ])
    .execute()
  const dues = found.map((claim) => {
    const zone = zoneOf(claim.federal_state)
    const dayOf = (at: Date | null) => at && calendarDayIn(at, zone)
    const days = {
      repaired_on: dayOf(claim.repaired_at ?? claim.completed_at),
      sent_on: dayOf(claim.sent_at),
      answered_on: dayOf(claim.answered_at),
    }
    const due = dueOf({ ...claim, is_appealed: Boolean(claim.is_appealed) }, days, claim)
    return { id: claim.id, due_kind: due?.kind ?? null, due_on: due?.on ?? null }
  })
  await sql`
    update claims set due_kind = due.due_kind, due_on = due.due_on
    from jsonb_to_recordset(${JSON.stringify(dues)}::jsonb) as due(id bigint, due_kind text, due_on date)
    where claims.id = due.id`.execute(ctx.db)
}

/** The same for each claim of an order, for whom the end of its repair has changed; under the order's lock. */
export const noteDueOfOrder = (ctx: Ctx, order_id: number) =>
  inTransaction(ctx, async (ctx) => {
    const order = ctx.db.selectFrom('service_orders').where('id', '=', order_id).select('id')
    await order.forNoKeyUpdate().execute()
    const claims = await ctx.db.selectFrom('claims').where('order_id', '=', order_id).select('id').execute()
    await noteDues(
      ctx,
      claims.map(({ id }) => id),
    )
  })
