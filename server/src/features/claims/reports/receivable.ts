import { sumOf } from '@garantia/shared/claims/money'
import {
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
import { companiesIn, scopeIn } from '../../../kernel/scope.ts'
import { isAnyOf } from '../../orders/list/service.ts'
import { claimDays, isDelta, isOfSums } from '../claim/service.ts'

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
    const agesOf = await readAges(ctx, filter)
    const figures = await readTotals(ctx, filter)
    return { ...figures, ages: agesOf(figures.receivable) }
  })
}

const daysOf = ({ from, until }: (typeof AGE_BUCKETS)[number], today: string) => ({
  ...(until !== null && { sent_from: daysBefore(today, until) }),
  ...(from > 0 && { sent_until: daysBefore(today, from) }),
})

/** From the sums by the day of the sending: those of the last weeks are read, what is older is the rest of the total. */
async function readAges(ctx: Ctx, filter: ReceivableFilter) {
  const today = isoDay(ctx.clock())
  const { companies, brands } = narrowed(ctx, filter)
  const recent = AGE_BUCKETS.filter(({ until }) => until !== null)
  const bucket = sql.join(
    recent.map((one, index) => sql`when day >= ${daysOf(one, today).sent_from}::date then ${sql.lit(index)}`),
    sql` `,
  )
  const since = daysOf(recent.at(-1) ?? AGE_BUCKETS[0], today).sent_from
  const { rows } = await sql<{ n: number | null; claims: number; amount: number }>`
    select case ${bucket} end as n, sum(claims)::int as claims, sum(amount) as amount
    from ${claimDays('receivable', companies)} where ${brands} and day >= ${since}::date
    group by 1`.execute(ctx.db)
  const found = new Map(rows.map(({ n, claims, amount }) => [n, { claims, amount: Number(amount) }]))
  return (whole: Figure) => {
    const known = recent.map((_, index) => found.get(index) ?? NOTHING)
    const older = {
      claims: whole.claims - known.reduce((sum, { claims }) => sum + claims, 0),
      amount: sumOf([whole.amount, ...known.map(({ amount }) => -amount)]),
    }
    return AGE_BUCKETS.map((one, index) => ({
      label: one.label,
      ...([...known, older][index] ?? NOTHING),
      criteria: { ...narrowing(filter), is_open: true, ...daysOf(one, today) },
    }))
  }
}

const NOTHING = { claims: 0, amount: 0 }
type Figure = typeof NOTHING

const narrowed = (ctx: Ctx, { company_id, brand_id }: ReceivableFilter) => ({
  companies: companiesIn(scopeIn(ctx.actor, company_id)),
  brands: brand_id?.length ? isAnyOf('brand_id', brand_id) : sql`true`,
})

interface TotalRow extends TotalSums {
  brand_id: number | null
  company_id: number | null
  state: ClaimState | null
  brand: string | null
  company: string | null
  receivable_claims: number
  receivable: number
  overpaid_claims: number
  overpaid: number
}
const COLUMNS = ['claims', ...TOTAL_SUMS]
const SIDES = ['receivable_claims', 'receivable', 'overpaid_claims', 'overpaid']

async function readTotals(ctx: Ctx, filter: ReceivableFilter) {
  const { companies, brands } = narrowed(ctx, filter)
  const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
  const sums = (names: readonly string[]) =>
    sql.join(names.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0) as ${sql.ref(name)}`))
  const deltas = sql`from claim_deltas where ${isDelta(companies)} and ${brands}`
  const { rows } = await sql<TotalRow>`
    select sums.*, brands.display_name as brand, companies.trading_name as company from (
      select brand_id, null::bigint as company_id, state, ${sums([...COLUMNS, ...SIDES])}
      from (
        select brand_id, state, ${refs([...COLUMNS, ...SIDES])} from claim_sums
          where ${isOfSums(companies)} and ${brands}
        union all select brand_id, state, ${refs([...COLUMNS, ...SIDES])} ${deltas}) noted
      group by grouping sets ((), (brand_id), (state))
      union all
      select null, company_id, null, ${sums(COLUMNS)}, ${sql.join(SIDES.map(() => sql`0`))}
      from (
        select company_id, ${refs(COLUMNS)} from claim_company_sums where ${isDelta(companies)} and ${brands}
        union all select company_id, ${refs(COLUMNS)} ${deltas}) noted
      group by company_id) sums
    left join brands on brands.id = brand_id
    left join companies on companies.id = company_id
    order by open_amount desc, brand, company, state`.execute(ctx.db)
  const numbers = (row: TotalRow | undefined) => ({
    claims: Number(row?.claims ?? 0),
    ...(Object.fromEntries(TOTAL_SUMS.map((name) => [name, Number(row?.[name] ?? 0)])) as Omit<
      TotalSums,
      'claims'
    >),
  })
  const has = (row: TotalRow) => Number(row.claims) !== 0
  const common = narrowing(filter)
  const line = (id: number | null, name: string | null, row: TotalRow, criteria: ListCriteria) => ({
    id,
    name: name ?? '',
    ...numbers(row),
    criteria: { ...common, ...criteria },
  })
  const whole = rows.find((row) => !row.brand_id && !row.company_id && !row.state)
  const side = (claims: number | undefined, amount: number | undefined, criteria: ListCriteria) => ({
    claims: Number(claims ?? 0),
    amount: Number(amount ?? 0),
    criteria: { ...common, ...criteria },
  })
  return {
    receivable: side(whole?.receivable_claims, whole?.receivable, { is_open: true }),
    overpaid: side(whole?.overpaid_claims, whole?.overpaid, { is_overpaid: true }),
    totals: numbers(whole),
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
