import {
  type DeadlineCounts,
  type DeadlineCriteria,
  type DeadlineFilter,
  type DeadlinePage,
  type DeadlineRow,
  DUE_KINDS,
  type DueKind,
  daysAfter,
  SOON_DAYS,
} from '@garantia/shared/claims/deadlines'
import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import { isoDay } from '@garantia/shared/format'
import { SEARCH_COUNT_CAP } from '@garantia/shared/orders/schema'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { calledAs } from '../../../kernel/person.ts'
import { dueRows, todayThere } from './due-rows.ts'

/**
 * Whether a row's day has passed in its company's time zone. The legal limit is reached on its day, as the badge of an
 * order has it, and a mail has failed on its own; all others may be met until the end of theirs.
 */
const isOverdueThere = (ctx: Ctx) => {
  const today = todayThere(ctx.clock())
  return sql<boolean>`(case when due.kind in ('legal', 'mail') then due.due_on <= ${today} else due.due_on < ${today} end)`
}

interface Found extends Omit<DeadlineRow, 'company' | 'brand'> {
  company_id: number
  trading_name: string
  brand_id: number
  display_name: string
  total: number
  overdue: number
}

/**
 * What is due in the caller's scope: overdue first, then by date; with how many there are, and are overdue, each
 * counted up to the cap of searches for every source. Refuses an anonymous caller with 401.
 */
export async function listDeadlines(ctx: Ctx, filter: DeadlineFilter): Promise<DeadlinePage> {
  authorize(ctx.actor, 'deadline.list')
  const { skip = 0, limit = DEFAULT_LIMIT, ...criteria } = filter
  const rows = await dueRows(ctx, criteria, Math.max(skip + limit, SEARCH_COUNT_CAP + 1))
  const { rows: found } = await sql<Found | (Pick<Found, 'total' | 'overdue'> & { kind: null })>`
    with due as materialized (${rows}),
    judged as materialized (
      select due.*, ${isOverdueThere(ctx)} as is_overdue
      from due join companies on companies.id = due.company_id),
    page as (
      select * from judged
      order by is_overdue desc, due_on, kind, order_id, claim_id, part_id
      limit ${sql.lit(limit)} offset ${sql.lit(skip)})
    select counted.total, counted.overdue, page.kind, page.due_on::text as due_on, page.is_overdue,
      page.order_id, service_orders.os_number, page.claim_id, page.part_id, page.company_id,
      companies.trading_name, service_orders.brand_id, brands.display_name,
      ${calledAs('responsible')} as responsible_name
    from (select count(*)::int as total, (count(*) filter (where is_overdue))::int as overdue from judged) counted
      left join page on true
      left join service_orders on service_orders.id = page.order_id
      left join brands on brands.id = service_orders.brand_id
      left join companies on companies.id = page.company_id
      left join users as responsible on responsible.id = service_orders.responsible_user_id
    order by page.is_overdue desc, page.due_on, page.kind, page.order_id, page.claim_id, page.part_id`.execute(
    ctx.db,
  )
  const { total = 0, overdue = 0 } = found[0] ?? {}
  return {
    items: found.flatMap((row) => (row.kind === null ? [] : [presentDeadline(row)])),
    total: Math.min(total, SEARCH_COUNT_CAP),
    total_is_exact: total <= SEARCH_COUNT_CAP,
    overdue: Math.min(overdue, SEARCH_COUNT_CAP),
    skip,
    limit,
  }
}

const presentDeadline = (row: Found): DeadlineRow => ({
  kind: row.kind,
  due_on: row.due_on,
  is_overdue: row.is_overdue,
  order_id: row.order_id,
  os_number: row.os_number,
  claim_id: row.claim_id,
  part_id: row.part_id,
  company: { id: row.company_id, trading_name: row.trading_name },
  brand: { id: row.brand_id, display_name: row.display_name },
  responsible_name: row.responsible_name,
})

/**
 * How much is overdue, and how much will be within a week, by kind, each counted up to the cap of searches. Refuses an
 * anonymous caller with 401.
 */
export async function countDeadlines(
  ctx: Ctx,
  criteria: Omit<DeadlineCriteria, 'until'> = {},
): Promise<DeadlineCounts> {
  authorize(ctx.actor, 'deadline.list')
  const until = daysAfter(isoDay(ctx.clock()), SOON_DAYS)
  const rows = await dueRows(ctx, { ...criteria, until }, SEARCH_COUNT_CAP, true)
  const { rows: found } = await sql<{ kind: DueKind; overdue: number; soon: number }>`
    with due as materialized (${rows})
    select due.kind, (count(*) filter (where ${isOverdueThere(ctx)}))::int as overdue,
      (count(*) filter (where not ${isOverdueThere(ctx)}))::int as soon
    from due join companies on companies.id = due.company_id
    group by due.kind`.execute(ctx.db)
  const counted = new Map(found.map((row) => [row.kind, row]))
  const kinds = DUE_KINDS.flatMap((kind) => counted.get(kind) ?? [])
  const sum = (which: 'overdue' | 'soon') => kinds.reduce((total, one) => total + one[which], 0)
  return { kinds, overdue: sum('overdue'), soon: sum('soon') }
}
