import type { ClaimLines, Claims } from '@garantia/migrations/schema'
import type { ClaimState } from '@garantia/shared/claims/state'
import { type Selectable, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Ctx } from '../../../kernel/context.ts'
import { type Seen, seenBy, within } from '../../../kernel/scope.ts'

export type Claim = Selectable<Claims>
export type ClaimLine = Selectable<ClaimLines>

/** Claims in a scope whose order is not deleted (D-39). */
export const visibleClaims = ({ db, scope }: Seen) =>
  db.selectFrom('claims').where('claims.deleted_at', 'is', null).where(within(scope, 'claims.company_id'))

/** A query for one visible claim. */
export const findClaim = (ctx: Ctx, id: number) =>
  visibleClaims(seenBy(ctx)).where('claims.id', '=', id).selectAll('claims')

/** When the mail of a claim's newest sending failed for good, while the brand has not answered; null when none did. */
const failedMailAt = sql<Date | null>`
  case when claims.state in ('sent', 'in_review') then (
    select case when mails.sent_at is null then newest.mail_failed_at end
    from claim_submissions newest left join mails on mails.id = newest.mail_id
    where newest.claim_id = claims.id order by newest.n desc limit 1) end`

/** Visible claims as rows of the list. Days come as text: the driver would make them moments of the server's time zone. */
export const listedClaims = (seen: Seen) =>
  visibleClaims(seen)
    .innerJoin('service_orders', 'service_orders.id', 'claims.order_id')
    .innerJoin('brands', 'brands.id', 'claims.brand_id')
    .innerJoin('companies', 'companies.id', 'claims.company_id')
    .select(['claims.id', 'claims.order_id', 'service_orders.os_number', 'claims.n', 'claims.type'])
    .select(['claims.state', 'claims.previous_id', 'claims.brand_number', 'claims.brand_id'])
    .select(['claims.company_id', 'brands.display_name', 'companies.trading_name', 'claims.claimed'])
    .select(['claims.authorised', 'claims.paid', 'claims.debited', 'claims.written_off', 'claims.carried'])
    .select(['claims.open_amount', 'claims.sent_at', 'claims.answered_at', 'claims.due_kind'])
    .select(['claims.created_at', 'claims.version', 'claims.note', 'claims.created_by', 'claims.actor_name'])
    .select(['claims.due_awaits', sql<string | null>`claims.due_on::text`.as('due_on')])
    .select(sql<string | null>`claims.credit_note_on::text`.as('credit_note_on'))
    .select(failedMailAt.as('mail_failed_at'))
export type ListedClaim = Awaited<ReturnType<ReturnType<typeof listedClaims>['execute']>>[number]

/** The sums of some companies, or of all: these are kept under 0. */
export const isOfSums = (companies: readonly number[] | undefined) =>
  companies ? sql<boolean>`scope_id = any(${[...companies]}::bigint[])` : sql<boolean>`scope_id = 0`
/** What is not added to them yet. */
export const isDelta = (companies: readonly number[] | undefined) =>
  companies ? sql<boolean>`company_id = any(${[...companies]}::bigint[])` : sql<boolean>`true`

/** What is known of claims by day, added or not: of their sending while something is expected, first answer, or credit. */
export const claimDays = (
  kind: 'receivable' | 'answer' | 'credit',
  companies: readonly number[] | undefined,
) => sql`(
  select day, brand_id, claims, days, normal_claims, accepted_claims, amount from claim_days
  where ${isOfSums(companies)} and kind = ${sql.lit(kind)}
  union all
  select day, brand_id, claims, days, normal_claims, accepted_claims, amount from claim_day_deltas
  where ${isDelta(companies)} and kind = ${sql.lit(kind)}) days`

export const linesOf = (ctx: Ctx, claim_ids: readonly number[]) =>
  ctx.db
    .selectFrom('claim_lines')
    .where(sql<boolean>`claim_id = any(${[...claim_ids]}::bigint[])`)
    .selectAll()
    .orderBy('claim_id')
    .orderBy('n')
    .execute()

export const submissionsOf = (ctx: Ctx, claim_ids: readonly number[]) =>
  ctx.db
    .selectFrom('claim_submissions')
    .leftJoin('mails', 'mails.id', 'claim_submissions.mail_id')
    .where(sql<boolean>`claim_id = any(${[...claim_ids]}::bigint[])`)
    .selectAll('claim_submissions')
    .select(['mails.sent_at as mail_sent_at', 'mails.error as mail_error'])
    .orderBy('n')
    .execute()

/** What sent appeals claim for the lines of a claim, by line. */
export async function contestedOf(ctx: Ctx, claim_id: number): Promise<Map<number, number>> {
  const rows = await ctx.db
    .selectFrom('claim_lines as former')
    .innerJoin('claim_lines as line', 'line.previous_id', 'former.id')
    .innerJoin('claims', 'claims.id', 'line.claim_id')
    .where('former.claim_id', '=', claim_id)
    .where('claims.state', 'not in', ['draft', 'withdrawn'])
    .groupBy('former.id')
    .select(['former.id', (eb) => eb.fn.sum<number>('line.claimed').as('claimed')])
    .execute()
  return new Map(rows.map(({ id, claimed }) => [id, Number(claimed)]))
}

interface DecisionLine {
  line_id: number
  authorised: number
  reason: string | null
  evidence_category: string | null
  brand_code: string | null
  brand_words: string | null
}
export const decisionsOf = (ctx: Ctx, claim_ids: readonly number[]) =>
  ctx.db
    .selectFrom('claim_decisions')
    .where(sql<boolean>`claim_id = any(${[...claim_ids]}::bigint[])`)
    .selectAll('claim_decisions')
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('claim_decision_lines')
          .whereRef('decision_id', '=', 'claim_decisions.id')
          .select(['line_id', 'authorised', 'reason', 'evidence_category', 'brand_code', 'brand_words'])
          .orderBy('line_id'),
      )
        .$castTo<DecisionLine[]>()
        .as('lines'),
    )
    .orderBy('n')
    .execute()

export const entriesOf = (ctx: Ctx, claim_ids: readonly number[]) =>
  ctx.db
    .selectFrom('claim_entries')
    .leftJoin('remittance_lines', 'remittance_lines.id', 'claim_entries.remittance_line_id')
    .where(sql<boolean>`claim_entries.claim_id = any(${[...claim_ids]}::bigint[])`)
    .selectAll('claim_entries')
    .select(['remittance_lines.remittance_id', sql<string>`booked_on::text`.as('booked_on')])
    .orderBy('claim_entries.id')
    .execute()

/** The claims of an order, oldest first, with what says how they follow each other. */
export const claimsInOrder = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('claims')
    .where('order_id', '=', order_id)
    .select(['id', 'n', 'type', 'previous_id'])
    .select(sql<ClaimState>`state`.as('state'))
    .orderBy('n')
    .execute()
