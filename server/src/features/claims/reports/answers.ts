import { REASONS, type RefusalReason } from '@garantia/shared/claims/reasons'
import type {
  AnswersFilter,
  AnswersReport,
  FirstAnswers,
  ListCriteria,
  RefusalLine,
  RefusalPart,
} from '@garantia/shared/claims/reports'
import { EVIDENCE_CATEGORY, type EvidenceCategory } from '@garantia/shared/evidence/category'
import { daysBefore, TIME_ZONE } from '@garantia/shared/format'
import { monthsAfter, monthText } from '@garantia/shared/orders/report'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inSnapshot } from '../../../kernel/context.ts'
import { calledAs } from '../../../kernel/person.ts'
import { companiesIn, scopeIn, within } from '../../../kernel/scope.ts'
import { isAnyOf, startOfDay } from '../../orders/list/service.ts'
import { claimDays } from '../claim/service.ts'
import { narrowing } from './receivable.ts'

const monthOf = (at: ReturnType<typeof sql>) =>
  sql`to_char(${at} at time zone ${sql.lit(TIME_ZONE)}, 'YYYY-MM')`
const oneDecimal = (value: number) => Math.round(value * 10) / 10

interface Period {
  first: string
  last: string
}
const refusedOf = (ctx: Ctx, { company_id, brand_id }: AnswersFilter) =>
  sql`order_deleted_at is null and ${within(scopeIn(ctx.actor, company_id), 'claim_refusals.company_id')}
    and ${brand_id?.length ? isAnyOf('brand_id', brand_id) : sql`true`}`
/** What is known of claims by day in the period. */
const ofDays = (
  ctx: Ctx,
  kind: 'answer' | 'credit',
  { company_id, brand_id }: AnswersFilter,
  { first, last }: Period,
) => sql`${claimDays(kind, companiesIn(scopeIn(ctx.actor, company_id)))}
  where day between ${first}::date and ${last}::date
    and ${brand_id?.length ? isAnyOf('brand_id', brand_id) : sql`true`}`
const isIn = (at: ReturnType<typeof sql>, { first, last }: Period) =>
  sql`${at} >= ${startOfDay(first)} and ${at} < ${startOfDay(last, 1)}`

/**
 * What brands have answered and paid in some months, in the caller's scope: first-time acceptance, mean days, refusals.
 * Each figure has the criteria of the list of its claims. Refuses an anonymous caller with 401.
 */
export function readAnswers(ctx: Ctx, filter: AnswersFilter): Promise<AnswersReport> {
  authorize(ctx.actor, 'claim.list')
  const { from, until } = filter
  const period = { first: `${from}-01`, last: daysBefore(`${monthsAfter(until, 1)}-01`, 1) }
  return inSnapshot(ctx, async (ctx) => ({
    from,
    until,
    ...(await readFirstAnswers(ctx, filter, period)),
    days_to_credit: await readDaysToCredit(ctx, filter, period),
    ...(await readRefusals(ctx, filter, period)),
  }))
}

async function readFirstAnswers(ctx: Ctx, filter: AnswersFilter, period: Period) {
  const { rows } = await sql<{
    brand_id: number | null
    brand: string | null
    claims: number
    days: number | null
    answered: number
    accepted: number
  }>`
    select sums.*, brands.display_name as brand from (
      select brand_id, coalesce(sum(claims), 0)::int as claims, sum(days)::float8 / nullif(sum(claims), 0)::float8 as days,
        coalesce(sum(normal_claims), 0)::int as answered, coalesce(sum(accepted_claims), 0)::int as accepted
      from ${ofDays(ctx, 'answer', filter, period)}
      group by grouping sets ((), (brand_id))) sums
    left join brands on brands.id = brand_id order by answered desc, brand`.execute(ctx.db)
  const days = { first_answered_from: period.first, first_answered_until: period.last }
  const firstOf = (row: (typeof rows)[number] | undefined, criteria: ListCriteria): FirstAnswers => {
    const { answered = 0, accepted = 0 } = row ?? {}
    const own = { ...narrowing(filter), ...criteria, type: 'normal', ...days }
    return {
      answered,
      accepted,
      rate: answered === 0 ? null : oneDecimal((accepted / answered) * 100),
      criteria: own,
      accepted_criteria: { ...own, is_first_accepted: true },
    }
  }
  const whole = rows.find(({ brand_id }) => brand_id === null)
  return {
    first_answers: firstOf(whole, {}),
    first_answers_of_brands: rows.flatMap((row) =>
      row.brand_id !== null && row.answered > 0
        ? [{ id: row.brand_id, name: row.brand ?? '', ...firstOf(row, { brand_id: String(row.brand_id) }) }]
        : [],
    ),
    days_to_answer: meanOf(whole, { ...narrowing(filter), ...days }),
  }
}
const meanOf = (row: { claims: number; days: number | null } | undefined, criteria: ListCriteria) => ({
  claims: row?.claims ?? 0,
  days: row?.days == null ? null : oneDecimal(row.days),
  criteria,
})

async function readDaysToCredit(ctx: Ctx, filter: AnswersFilter, period: Period) {
  const { rows } = await sql<{ claims: number; days: number | null }>`
    select coalesce(sum(claims), 0)::int as claims, sum(days)::float8 / nullif(sum(claims), 0)::float8 as days
    from ${ofDays(ctx, 'credit', filter, period)}`.execute(ctx.db)
  const days = { credited_from: period.first, credited_until: period.last }
  return meanOf(rows[0], { ...narrowing(filter), ...days })
}

interface RefusalRow {
  part: RefusalPart | 'refused'
  reason: RefusalReason | null
  brand_id: number | null
  technician_user_id: number | null
  evidence_category: EvidenceCategory | null
  month: string | null
  name: string | null
  claims: number
  lines: number
  amount: number
}
async function readRefusals(ctx: Ctx, filter: AnswersFilter, period: Period) {
  const { rows } = await sql<RefusalRow>`
    with refused as (
      select claim_id, brand_id, technician_user_id, reason, evidence_category, ${monthOf(sql`decided_at`)} as month,
        amount
      from claim_refusals where ${isIn(sql`decided_at`, period)} and ${refusedOf(ctx, filter)})
    select sums.*, coalesce(brands.display_name, ${calledAs('responsible')}) as name from (
      select case when grouping(reason) = 0 then 'reasons' when grouping(brand_id) = 0 then 'brands'
          when grouping(technician_user_id) = 0 then 'technicians'
          when grouping(evidence_category) = 0 then 'categories' when grouping(month) = 0 then 'months'
          else 'refused' end as part,
        reason, brand_id, technician_user_id, evidence_category, month,
        count(distinct claim_id)::int as claims, count(*)::int as lines, coalesce(sum(amount), 0) as amount
      from refused
      group by grouping sets ((), (reason), (brand_id), (technician_user_id), (evidence_category), (month))) sums
    left join brands on brands.id = brand_id
    left join users as responsible on responsible.id = technician_user_id
    order by amount desc, lines desc, month, reason`.execute(ctx.db)
  const common = { ...narrowing(filter), refused_from: period.first, refused_until: period.last }
  const figures = (row: RefusalRow | undefined, criteria: ListCriteria) => ({
    claims: row?.claims ?? 0,
    lines: row?.lines ?? 0,
    amount: Number(row?.amount ?? 0),
    criteria: { is_refused: true, ...common, ...criteria },
  })
  const part = (name: RefusalPart): RefusalLine[] =>
    rows
      .filter((row) => row.part === name)
      .map((row) => {
        const { key, label, criteria } = TOLD[name](row)
        return { key, name: label, ...figures(row, criteria) }
      })
  return {
    refused: figures(
      rows.find((row) => row.part === 'refused'),
      {},
    ),
    reasons: part('reasons'),
    brands: part('brands'),
    technicians: part('technicians'),
    categories: part('categories'),
    months: part('months').sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1)),
  }
}

const lastDay = (month: string) => daysBefore(`${monthsAfter(month, 1)}-01`, 1)
const TOLD: Record<
  RefusalPart,
  (row: RefusalRow) => { key: string | null; label: string; criteria: ListCriteria }
> = {
  reasons: ({ reason }) => ({
    key: reason,
    label: reason ? REASONS[reason].label : '',
    criteria: { refusal_reason: reason ?? '' },
  }),
  brands: ({ brand_id, name }) => ({
    key: String(brand_id),
    label: name ?? '',
    criteria: { brand_id: String(brand_id) },
  }),
  technicians: ({ technician_user_id, name }) => ({
    key: technician_user_id === null ? null : String(technician_user_id),
    label: name ?? 'Sem técnico',
    criteria: { technician: String(technician_user_id ?? 'none') },
  }),
  categories: ({ evidence_category }) => ({
    key: evidence_category,
    label: evidence_category ? EVIDENCE_CATEGORY[evidence_category] : 'Sem categoria',
    criteria: { refused_category: evidence_category ?? 'none' },
  }),
  months: ({ month }) => ({
    key: month,
    label: monthText(month ?? ''),
    criteria: { refused_from: `${month}-01`, refused_until: lastDay(month ?? '') },
  }),
}
