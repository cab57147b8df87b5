import {
  type DeadlineCriteria,
  DUE_KINDS,
  type DueKind,
  UNSENT_DAYS,
} from '@garantia/shared/claims/deadlines'
import { legalClock, ZONE_OF_STATE, zoneOf } from '@garantia/shared/claims/legal-clock'
import { LEGAL_DAYS } from '@garantia/shared/orders/status'
import type { Scope } from '@garantia/shared/policy'
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { scopeIn, within } from '../../../kernel/scope.ts'
import { isAnyOf } from '../../orders/list/service.ts'
import { runningVisits } from './queries.ts'

/** The time zone of a company in SQL, as `zoneOf` has it. */
const zone = sql.raw(
  `case companies.state ${Object.entries(ZONE_OF_STATE)
    .map(([state, name]) => `when '${state}' then '${name}'`)
    .join(' ')} else '${zoneOf(null)}' end`,
)
/** Today in a company's time zone. */
export const todayThere = (now: Date) => sql<string>`(${now}::timestamptz at time zone ${zone})::date`

export const CLAIM_KINDS = ['send', 'answer', 'return', 'appeal', 'credit'] as const
type ClaimKind = (typeof CLAIM_KINDS)[number]
const isClaimKind = (kind: DueKind): kind is ClaimKind => (CLAIM_KINDS as readonly DueKind[]).includes(kind)

/**
 * What is due in the caller's scope, as a query of `kind, due_on, order_id, claim_id, part_id, company_id`: the first
 * `limit` by date of each source. What a claim waits for is noted with it; the legal limit, orders that nobody made a
 * claim of, and parts are read here. With `isByKind` the limit is one of each kind.
 */
export async function dueRows(ctx: Ctx, criteria: DeadlineCriteria, limit: number, isByKind = false) {
  const kinds = criteria.kind?.length ? criteria.kind : DUE_KINDS
  const ofClaims: ClaimKind[] = (kinds as readonly DueKind[]).filter(isClaimKind)
  const sources: RawBuilder<unknown>[] = []
  const groups = isByKind ? ofClaims.map((kind) => [kind]) : ofClaims.length > 0 ? [ofClaims] : []
  for (const group of groups) sources.push(ofClaimsSource(ctx, criteria, group))
  if (kinds.includes('send')) sources.push(unsentSource(ctx, criteria))
  if (kinds.includes('mail')) sources.push(mailSource(ctx, criteria))
  if (kinds.includes('part')) sources.push(partSource(ctx, criteria))
  if (kinds.includes('legal'))
    sources.push(openOrderSource(ctx, criteria, limit), await defectSource(ctx, criteria))
  const first = sources.map(
    (source) => sql`(${source} order by due_on, order_id, claim_id, part_id limit ${sql.lit(limit)})`,
  )
  return sql`${sql.join(first, sql` union all `)}`
}

const ofOrders = (ctx: Ctx, { brand_id, company_id, responsible_user_id }: DeadlineCriteria) =>
  sql.join(
    [
      sql`service_orders.deleted_at is null`,
      within(scopeIn(ctx.actor, company_id), 'service_orders.company_id'),
      ...(brand_id?.length ? [isAnyOf('service_orders.brand_id', brand_id)] : []),
      ...(responsible_user_id?.length
        ? [isAnyOf('service_orders.responsible_user_id', responsible_user_id)]
        : []),
    ],
    sql` and `,
  )
const untilOf = ({ until }: DeadlineCriteria, due_on: RawBuilder<unknown>) =>
  until ? sql`${due_on} <= ${until}::date` : sql`true`

function ofClaimsSource(ctx: Ctx, criteria: DeadlineCriteria, kinds: readonly ClaimKind[]) {
  const { brand_id, company_id, responsible_user_id } = criteria
  const isOfPerson = responsible_user_id?.length
    ? sql`exists (select from service_orders where service_orders.id = claims.order_id
        and ${isAnyOf('service_orders.responsible_user_id', responsible_user_id)})`
    : sql`true`
  const isOfKind =
    kinds.length === CLAIM_KINDS.length ? sql`true` : sql`claims.due_kind = any(${[...kinds]}::text[])`
  return sql`
    select claims.due_kind as kind, claims.due_on, claims.order_id, claims.id as claim_id,
      null::bigint as part_id, claims.company_id
    from claims
    where claims.deleted_at is null and claims.due_on is not null and ${isOfKind} and ${isOfPerson}
      and ${within(scopeIn(ctx.actor, company_id), 'claims.company_id')}
      and ${brand_id?.length ? isAnyOf('claims.brand_id', brand_id) : sql`true`}
      and ${untilOf(criteria, sql`claims.due_on`)}`
}

/** Completed orders of which no claim was ever made, until some time after their last day. */
function unsentSource(ctx: Ctx, criteria: DeadlineCriteria) {
  const due_on = sql`((coalesce(defect_visits.repaired_at, service_orders.completed_at) at time zone ${zone})::date
    + brands.claim_send_days)`
  return sql`
    select 'send' as kind, ${due_on} as due_on, service_orders.id as order_id, null::bigint as claim_id,
      null::bigint as part_id, service_orders.company_id
    from service_orders
      join brands on brands.id = service_orders.brand_id and brands.claim_send_days is not null
      join companies on companies.id = service_orders.company_id
      left join defect_visits on defect_visits.order_id = service_orders.id
    where service_orders.status = 'completed' and ${ofOrders(ctx, criteria)}
      and service_orders.completed_at >= ${ctx.clock()}::timestamptz
        - make_interval(days => (select max(claim_send_days) from brands) + ${sql.lit(UNSENT_DAYS + 1)})
      and ${due_on} >= ${todayThere(ctx.clock())} - ${sql.lit(UNSENT_DAYS)}
      and not exists (select from claims where claims.order_id = service_orders.id)
      and ${untilOf(criteria, due_on)}`
}

/** Mails of sendings that failed for good, until they are sent anew or the brand has answered. */
function mailSource(ctx: Ctx, criteria: DeadlineCriteria) {
  const due_on = sql`(submission.mail_failed_at at time zone ${zone})::date`
  return sql`
  select 'mail' as kind, ${due_on} as due_on, claims.order_id, claims.id as claim_id, null::bigint as part_id,
    claims.company_id
  from claim_submissions submission
    join claims on claims.id = submission.claim_id and claims.state in ('sent', 'in_review')
    join service_orders on service_orders.id = claims.order_id
    join companies on companies.id = claims.company_id
    left join mails on mails.id = submission.mail_id
  where submission.mail_failed_at is not null and mails.sent_at is null
    and not exists (select from claim_submissions newer
      where newer.claim_id = submission.claim_id and newer.n > submission.n)
    and ${ofOrders(ctx, criteria)} and ${untilOf(criteria, due_on)}`
}

const partSource = (ctx: Ctx, criteria: DeadlineCriteria) => sql`
  select 'part' as kind, part_returns.due_on, claims.order_id, claims.id as claim_id,
    part_returns.id as part_id, claims.company_id
  from part_returns
    join claims on claims.id = part_returns.claim_id and claims.state <> 'withdrawn'
    join service_orders on service_orders.id = claims.order_id
  where part_returns.due_on is not null and part_returns.state in ('held', 'requested')
    and ${ofOrders(ctx, criteria)} and ${untilOf(criteria, sql`part_returns.due_on`)}`

/**
 * The legal limit of orders without a group, whose only visit they are: so many days from their opening. The first by
 * their opening are the first by that day, but for the two hours between the zones of Brazil; so an index has them.
 */
function openOrderSource(ctx: Ctx, criteria: DeadlineCriteria, limit: number) {
  const due_on = sql`((opened.opened_at at time zone ${zone})::date + ${sql.lit(LEGAL_DAYS)})`
  const isInTime = criteria.until
    ? sql`service_orders.opened_at < (${criteria.until}::date - ${sql.lit(LEGAL_DAYS - 2)})::timestamp at time zone 'UTC'`
    : sql`true`
  return sql`
    select 'legal' as kind, ${due_on} as due_on, opened.id as order_id, null::bigint as claim_id,
      null::bigint as part_id, opened.company_id
    from (
      select service_orders.id, service_orders.opened_at, service_orders.company_id
      from service_orders
      where service_orders.status not in ('completed', 'cancelled') and ${ofOrders(ctx, criteria)} and ${isInTime}
        and not exists (select from defect_visits where defect_visits.order_id = service_orders.id)
      order by service_orders.opened_at, service_orders.id limit ${sql.lit(limit)}) opened
      join companies on companies.id = opened.company_id
    where ${untilOf(criteria, due_on)}`
}

/** The day on which each group in a scope with a visit that goes on reaches the limit, at its newest such visit. */
export async function runningLimits(ctx: Ctx, scope: Scope) {
  const visits = await runningVisits(ctx, scope)
  const byGroup = Map.groupBy(visits, ({ group_id }) => group_id)
  return [...byGroup.values()].flatMap((group) => {
    const newest = group.findLast(({ until }) => until === null)
    const { due_on } = legalClock(group, ctx.clock(), zoneOf(group[0]?.federal_state ?? null))
    return newest && due_on ? [{ order_id: newest.order_id, due_on }] : []
  })
}

/** The legal limit of groups with a visit that goes on, each once, at its newest one. */
async function defectSource(ctx: Ctx, criteria: DeadlineCriteria) {
  const limits = await runningLimits(ctx, scopeIn(ctx.actor, criteria.company_id))
  return sql`
    select 'legal' as kind, reached.due_on, reached.order_id, null::bigint as claim_id, null::bigint as part_id,
      service_orders.company_id
    from jsonb_to_recordset(${JSON.stringify(limits)}::jsonb) as reached (order_id bigint, due_on date)
      join service_orders on service_orders.id = reached.order_id
    where ${ofOrders(ctx, criteria)} and ${untilOf(criteria, sql`reached.due_on`)}`
}
