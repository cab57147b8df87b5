import { TIME_ZONE } from '@garantia/shared/format'
import { monthsAfter, type ReportFigures, type ReportPeriod } from '@garantia/shared/orders/report'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { calledAs } from '../../../kernel/person.ts'
import { scopeOf, within } from '../../../kernel/scope.ts'

/** A sum of one part of the report; exactly one of the four parts is set, or none for nobody responsible. */
export interface ReportSum extends ReportFigures {
  part: 'month' | 'brand' | 'company' | 'person'
  month: string | null
  id: number | null
  name: string | null
}

/**
 * The sums of a period by month, brand, company and responsible person in the caller's scope, in one statement and so
 * from one snapshot. Each fact is read from an index by its own date, so that the cost grows with the orders of the
 * period and not with all.
 */
export async function readSums(ctx: Ctx, { from, until }: ReportPeriod): Promise<ReportSum[]> {
  const start = sql`(${`${from}-01`}::date::timestamp at time zone ${sql.lit(TIME_ZONE)})`
  const end = sql`(${`${monthsAfter(until, 1)}-01`}::date::timestamp at time zone ${sql.lit(TIME_ZONE)})`
  const visible = sql`service_orders.deleted_at is null
    and ${within(scopeOf(ctx.actor), 'service_orders.company_id')}`
  /** Per month, brand, company and person: few rows are left to be summed four times. */
  const facts = (figure: keyof ReportFigures, at: string, from = sql`service_orders where true`) => sql`
    select ${sql.lit(figure)} as figure, company_id, brand_id, responsible_user_id, count(*) as facts,
      date_trunc('month', ${sql.ref(at)} at time zone ${sql.lit(TIME_ZONE)}) as month
    from ${from} and ${visible} and ${sql.ref(at)} >= ${start} and ${sql.ref(at)} < ${end}
    group by company_id, brand_id, responsible_user_id, month`
  // A completed order has its date, and the index of the dates names the status.
  const completed = sql`service_orders where service_orders.status = 'completed'`
  const failed = sql`evidence_files join service_orders on service_orders.id = order_id
    where evidence_files.deleted_at is null and evidence_files.status = 'failed'`
  const sum = (figure: keyof ReportFigures) =>
    sql`coalesce(sum(facts) filter (where figure = ${sql.lit(figure)}), 0)::bigint as ${sql.ref(figure)}`
  const { rows } = await sql<ReportSum>`
    with facts as (
      ${facts('opened', 'service_orders.opened_at')}
      union all ${facts('completed', 'service_orders.completed_at', completed)}
      union all ${facts('ready', 'service_orders.package_ready_at')}
      union all ${facts('refused', 'evidence_files.finished_at', failed)}),
    sums as (
      select case when grouping(month) = 0 then 'month' when grouping(brand_id) = 0 then 'brand'
          when grouping(company_id) = 0 then 'company' else 'person' end as part,
        month, brand_id, company_id, responsible_user_id,
        ${sum('opened')}, ${sum('completed')}, ${sum('ready')}, ${sum('refused')}
      from facts group by grouping sets ((month), (brand_id), (company_id), (responsible_user_id)))
    select part, to_char(month, 'YYYY-MM') as month,
      coalesce(sums.brand_id, sums.company_id, responsible_user_id) as id,
      coalesce(brands.display_name, companies.trading_name, ${calledAs('responsible')}) as name,
      opened, completed, ready, refused
    from sums
    left join brands on brands.id = sums.brand_id
    left join companies on companies.id = sums.company_id
    left join users as responsible on responsible.id = responsible_user_id`.execute(ctx.db)
  return rows
}
