import {
  awaitedOf,
  dueOf,
  FIRST_BEGINNINGS,
  NO_WINDOWS,
  partDueOn,
  type WindowBeginnings,
} from '@garantia/shared/claims/deadlines'
import { calendarDayIn, zoneOf } from '@garantia/shared/claims/legal-clock'
import { isoDay } from '@garantia/shared/format'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'

/**
 * Notes what is due next of a claim, from its state, its days and the windows of its brand, and until when the replaced
 * parts of one that was sent are kept. Called at the end of each step, in its transaction.
 */
export async function noteDue(ctx: Ctx, claim_id: number) {
  await noteDues(ctx, [claim_id])
}

/** The same for the claims of an order, whose repair ended or goes on again, or which changed brand or company. */
export const noteDueOfOrder = (ctx: Ctx, order_id: number) =>
  inTransaction(ctx, async (ctx) => {
    const found = await ctx.db
      .selectFrom('claims')
      .where('order_id', '=', order_id)
      .select('id')
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    await noteDues(
      ctx,
      found.map(({ id }) => id),
    )
  })

const IN_ONE_STEP = 500
/**
 * The same for every claim of a brand, whose windows have changed: so many in one transaction, each locked, so that a
 * step that runs meanwhile is waited for. A claim opened meanwhile reads the new windows itself.
 */
export async function noteDueOfBrand(ctx: Ctx, brand_id: number) {
  for (let after = 0; ; ) {
    const last = await inTransaction(ctx, async (ctx) => {
      const found = await ctx.db
        .selectFrom('claims')
        .where('brand_id', '=', brand_id)
        .where('id', '>', after)
        .select('id')
        .orderBy('id')
        .limit(sql.lit(IN_ONE_STEP))
        .forNoKeyUpdate()
        .execute()
      const ids = found.map(({ id }) => id)
      await noteDues(ctx, ids)
      return ids.at(-1)
    })
    if (last === undefined) return
    after = last
  }
}

const WINDOWS = Object.keys(NO_WINDOWS) as (keyof typeof NO_WINDOWS)[]
const BEGINNINGS = Object.keys(FIRST_BEGINNINGS) as (keyof typeof FIRST_BEGINNINGS)[]

/** The same for several claims, in three statements. */
export async function noteDues(ctx: Ctx, ids: readonly number[]) {
  if (ids.length === 0) return
  const found = await ctx.db
    .selectFrom('claims')
    .innerJoin('service_orders', 'service_orders.id', 'claims.order_id')
    .innerJoin('brands', 'brands.id', 'claims.brand_id')
    .innerJoin('companies', 'companies.id', 'claims.company_id')
    .leftJoin('defect_visits', 'defect_visits.order_id', 'claims.order_id')
    .where(sql<boolean>`claims.id = any(${[...ids]}::bigint[])`)
    .select(['claims.id', 'claims.state', 'claimed', 'authorised', 'paid', 'debited', 'written_off'])
    .select(['carried', 'answered_at', 'credited_at', 'completed_at', 'repaired_at', 'due_awaits'])
    .select(['companies.state as federal_state', 'due_kind', sql<string | null>`due_on::text`.as('due_on')])
    .select(sql<string | null>`credit_note_on::text`.as('credit_note_on'))
    .select(WINDOWS)
    .select(BEGINNINGS)
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
      eb.fn
        .coalesce(
          eb
            .selectFrom('claim_submissions')
            .whereRef('claim_id', '=', 'claims.id')
            .select(({ fn }) => fn.min('claim_submissions.sent_at').as('at')),
          'claims.sent_at',
        )
        .as('first_sent_at'),
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
  const judged = found.map((row) => {
    // The columns have check constraints.
    const claim = { ...row, ...(row as WindowBeginnings), is_appealed: Boolean(row.is_appealed) }
    const zone = zoneOf(claim.federal_state)
    const dayOf = (at: Date | null) => at && calendarDayIn(at, zone)
    const days = {
      repaired_on: dayOf(claim.repaired_at ?? claim.completed_at),
      first_sent_on: dayOf(claim.first_sent_at),
      sent_on: dayOf(claim.sent_at),
      answered_on: dayOf(claim.answered_at),
      credit_note_on: claim.credit_note_on,
      // Noted from a day, in this time zone.
      paid_on: claim.credited_at && isoDay(claim.credited_at),
    }
    return { claim, days }
  })
  const changed = judged.flatMap(({ claim, days }) => {
    const due = dueOf(claim, days, claim)
    const next = {
      due_kind: due?.kind ?? null,
      due_on: due?.on ?? null,
      due_awaits: awaitedOf(claim, days, claim),
    }
    const isSame =
      next.due_kind === claim.due_kind && next.due_on === claim.due_on && next.due_awaits === claim.due_awaits
    return isSame ? [] : [{ id: claim.id, ...next }]
  })
  if (changed.length > 0)
    await sql`
      update claims
      set due_kind = changed.due_kind, due_on = changed.due_on, due_awaits = changed.due_awaits
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
        as changed (id bigint, due_kind text, due_on date, due_awaits text)
      where claims.id = changed.id`.execute(ctx.db)
  await keepParts(
    ctx,
    judged
      .filter(({ claim: { state } }) => state !== 'draft' && state !== 'withdrawn')
      .map(({ claim, days }) => ({ id: claim.id, due_on: partDueOn(claim, days, claim) })),
  )
}

/**
 * The replaced parts of claims that were sent, each once: an appeal claims those of the claim before. They are kept until
 * the day that the brand's rule comes to, unless a day was typed.
 */
async function keepParts(ctx: Ctx, kept: readonly { id: number; due_on: string | null }[]) {
  if (kept.length === 0) return
  await sql`
    insert into part_returns as p (claim_id, line_id, due_on, created_at, updated_at)
      select line.claim_id, line.id, kept.due_on, ${ctx.clock()}, ${ctx.clock()}
      from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as kept (id bigint, due_on date)
        join claim_lines line on line.claim_id = kept.id
      where line.kind = 'part' and line.previous_id is null
    on conflict (line_id) do update set due_on = excluded.due_on
      where not p.is_due_typed and p.due_on is distinct from excluded.due_on`.execute(ctx.db)
}
