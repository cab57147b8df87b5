import type { Ctx } from '@garantia/server/kernel'
import { sql } from 'kysely'

const AMOUNTS = ['claimed', 'authorised', 'paid', 'debited', 'written_off', 'open_amount']
const summed = sql.join(AMOUNTS.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
const amounts = sql.join(AMOUNTS.map((name) => sql.ref(name)))
const day = sql`(sent_at at time zone 'America/Sao_Paulo')::date`
const visible = sql`(select *, 1 as claims, ${day} as sent_on from claims where deleted_at is null) claims`
const scopes = sql`cross join lateral unnest(array[0, company_id]) scopes (scope_id)`
const sides = ['receivable_claims', 'receivable', 'overpaid_claims', 'overpaid']
const sideSums = sql.join(sides.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
const actualSides = sql`
  count(*) filter (where open_amount > 0) as receivable_claims,
  coalesce(sum(open_amount) filter (where open_amount > 0), 0) as receivable,
  count(*) filter (where open_amount < 0) as overpaid_claims,
  coalesce(sum(open_amount) filter (where open_amount < 0), 0) as overpaid`

/** What the database keeps of many claims, folded or not, and the same from the claims themselves. */
const PAIRS = {
  claim_totals: {
    noted: sql`select company_id, brand_id, state, sum(claims)::int as claims, ${summed} from (
        select company_id, brand_id, state, claims, ${amounts} from claim_totals
        union all select company_id, brand_id, state, claims, ${amounts} from claim_deltas) noted
      group by 1, 2, 3 having sum(claims) <> 0 order by 1, 2, 3`,
    actual: sql`select company_id, brand_id, state, sum(claims)::int as claims, ${summed} from ${visible}
      group by 1, 2, 3 order by 1, 2, 3`,
  },
  claim_sums: {
    noted: sql`select scope_id, brand_id, state, sum(claims)::int as claims, ${summed}, ${sideSums} from (
        select scope_id, brand_id, state, claims, ${amounts}, ${sql.join(sides.map((name) => sql.ref(name)))} from claim_sums
        union all select scope_id, brand_id, state, claims, ${amounts}, ${sql.join(sides.map((name) => sql.ref(name)))}
        from claim_deltas ${scopes}) noted
      group by 1, 2, 3 having sum(claims) <> 0 order by 1, 2, 3`,
    actual: sql`select scope_id, brand_id, state, sum(claims)::int as claims, ${summed}, ${actualSides}
      from ${visible} ${scopes} group by 1, 2, 3 order by 1, 2, 3`,
  },
  claim_company_sums: {
    noted: sql`select company_id, brand_id, sum(claims)::int as claims, ${summed} from (
        select company_id, brand_id, claims, ${amounts} from claim_company_sums
        union all select company_id, brand_id, claims, ${amounts} from claim_deltas) noted
      group by 1, 2 having sum(claims) <> 0 order by 1, 2`,
    actual: sql`select company_id, brand_id, sum(claims)::int as claims, ${summed} from ${visible}
      group by 1, 2 order by 1, 2`,
  },
  claim_receivable_days: {
    noted: sql`select scope_id, day::text, brand_id, sum(claims)::int as claims, sum(amount) as amount from (
        select scope_id, day, brand_id, claims, amount from claim_receivable_days
        union all select scope_id, sent_on, brand_id, receivable_claims, receivable from claim_deltas ${scopes}) noted
      group by scope_id, day, brand_id having sum(claims) <> 0 order by 1, 2, 3`,
    actual: sql`select scope_id, sent_on::text as day, brand_id, count(*)::int as claims, sum(open_amount) as amount
      from ${visible} ${scopes} where open_amount > 0 group by scope_id, sent_on, brand_id order by 1, 2, 3`,
  },
  first_answers: {
    noted: sql`select id, first_answered_at, first_outcome from claims where first_outcome is not null order by id`,
    actual: sql`select distinct on (claim_id) claim_id as id, decided_at as first_answered_at, outcome as first_outcome
      from claim_decisions decision where outcome <> 'in_review'
        and not exists (select from claim_decisions correction where correction.corrects_id = decision.id)
      order by claim_id, n`,
  },
}

/** The rows of both sides by table. */
export async function claimFigures({ db }: Pick<Ctx, 'db'>) {
  const read = async (side: 'noted' | 'actual') => {
    const found: Record<string, unknown[]> = {}
    for (const [table, pair] of Object.entries(PAIRS)) found[table] = (await pair[side].execute(db)).rows
    return found
  }
  return { noted: await read('noted'), actual: await read('actual') }
}
