import {
  type AmountFigure,
  type ListCriteria,
  type ReceivableFilter,
  type ReceivableReport,
  TOTAL_SUMS,
  type TotalSums,
} from '@garantia/shared/claims/reports'
import { AGE_BUCKETS } from '@garantia/shared/claims/soon'
import type { ClaimState } from '@garantia/shared/claims/state'
import { daysBefore, isoDay } from '@garantia/shared/format'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inSnapshot } from '../../../kernel/context.ts'
import { companiesIn, scopeIn, within } from '../../../kernel/scope.ts'
import { isAnyOf, startOfDay } from '../../orders/list/service.ts'

/** The criteria that narrow a report, as the address of the list has them. */
export const narrowing = ({ brand_id, company_id }: ReceivableFilter): ListCriteria => ({
  ...(brand_id?.length && { brand_id: brand_id.join(',') }),
  ...(company_id?.length && { company_id: company_id.join(',') }),
})

/**
 * What is to be received in the caller's scope, by age, brand, company and state, of one moment. The totals are those
 * that the database keeps. Refuses an anonymous caller with 401.
 */
export function readReceivable(ctx: Ctx, filter: ReceivableFilter): Promise<ReceivableReport> {
  authorize(ctx.actor, 'claim.list')
  return inSnapshot(ctx, async (ctx) => {
    const { ages, ...figures } = await readAges(ctx, filter)
    return { ...figures, ages, ...(await readTotals(ctx, filter)) }
  })
}

const daysOf = ({ from, until }: (typeof AGE_BUCKETS)[number], today: string) => ({
  ...(until !== null && { sent_from: daysBefore(today, until) }),
  ...(from > 0 && { sent_until: daysBefore(today, from) }),
})

async function readAges(ctx: Ctx, filter: ReceivableFilter) {
  const today = isoDay(ctx.clock())
  const scope = within(scopeIn(ctx.actor, filter.company_id), 'claims.company_id')
  const brands = filter.brand_id?.length ? isAnyOf('claims.brand_id', filter.brand_id) : sql`true`
  const visible = sql`from claims where claims.deleted_at is null and ${scope} and ${brands}`
  const age = AGE_BUCKETS.map((bucket, index) => {
    const { sent_from, sent_until } = daysOf(bucket, today)
    return sql`select ${sql.lit(index)} as n, count(*) as claims, coalesce(sum(open_amount), 0) as amount ${visible}
      and open_amount > 0
      ${sent_from ? sql`and sent_at >= ${startOfDay(sent_from)}` : sql``}
      ${sent_until ? sql`and sent_at < ${startOfDay(sent_until, 1)}` : sql``}`
  })
  const { rows } = await sql<{ n: number; claims: number; amount: number }>`
    ${sql.join(age, sql` union all `)}
    union all select -1, count(*), coalesce(sum(open_amount), 0) ${visible} and open_amount > 0
    union all select -2, count(*), coalesce(sum(open_amount), 0) ${visible} and open_amount < 0`.execute(
    ctx.db,
  )
  const found = new Map(rows.map((row) => [Number(row.n), row]))
  const figure = (n: number, criteria: ListCriteria): AmountFigure => ({
    claims: Number(found.get(n)?.claims ?? 0),
    amount: Number(found.get(n)?.amount ?? 0),
    criteria: { ...narrowing(filter), ...criteria },
  })
  return {
    receivable: figure(-1, { is_open: true }),
    overpaid: figure(-2, { is_overpaid: true }),
    ages: AGE_BUCKETS.map((bucket, index) => ({
      label: bucket.label,
      ...figure(index, { is_open: true, ...daysOf(bucket, today) }),
    })),
  }
}

interface TotalRow extends TotalSums {
  brand_id: number | null
  company_id: number | null
  state: ClaimState | null
  brand: string | null
  company: string | null
}
async function readTotals(ctx: Ctx, filter: ReceivableFilter) {
  const companies = companiesIn(scopeIn(ctx.actor, filter.company_id))
  const where = sql`where ${companies ? sql`company_id = any(${[...companies]}::bigint[])` : sql`true`}
    and ${filter.brand_id?.length ? isAnyOf('brand_id', filter.brand_id) : sql`true`}`
  const columns = sql.join(['claims', ...TOTAL_SUMS].map((name) => sql.ref(name)))
  const sums = sql.join(TOTAL_SUMS.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0) as ${sql.ref(name)}`))
  const { rows } = await sql<TotalRow>`
    select sums.*, brands.display_name as brand, companies.trading_name as company from (
      select brand_id, company_id, state, coalesce(sum(claims), 0)::int as claims, ${sums}
      from (
        select brand_id, company_id, state, ${columns} from claim_totals ${where}
        union all select brand_id, company_id, state, ${columns} from claim_deltas ${where}) noted
      group by grouping sets ((), (brand_id), (company_id), (state))) sums
    left join brands on brands.id = brand_id
    left join companies on companies.id = company_id
    order by open_amount desc, brand, company, state`.execute(ctx.db)
  const numbers = (row: TotalRow | undefined) => ({
    claims: row?.claims ?? 0,
    ...(Object.fromEntries(TOTAL_SUMS.map((name) => [name, Number(row?.[name] ?? 0)])) as Omit<
      TotalSums,
      'claims'
    >),
  })
  const has = (row: TotalRow) => row.claims !== 0
  const common = narrowing(filter)
  const line = (id: number | null, name: string | null, row: TotalRow, criteria: ListCriteria) => ({
    id,
    name: name ?? '',
    ...numbers(row),
    criteria: { ...common, ...criteria },
  })
  return {
    totals: numbers(rows.find((row) => !row.brand_id && !row.company_id && !row.state)),
    brands: rows
      .filter((row) => row.brand_id && has(row))
      .map((row) => line(row.brand_id, row.brand, row, { brand_id: String(row.brand_id) })),
    companies: rows
      .filter((row) => row.company_id && has(row))
      .map((row) => line(row.company_id, row.company, row, { company_id: String(row.company_id) })),
    states: rows.flatMap((row) =>
      row.state && has(row)
        ? [{ state: row.state, ...numbers(row), criteria: { ...common, state: row.state } }]
        : [],
    ),
  }
}
