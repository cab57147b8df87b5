import type { Ctx } from '@garantia/server/kernel'
import { sql } from 'kysely'

const AMOUNTS = ['claimed', 'authorised', 'paid', 'debited', 'written_off', 'open_amount']
const summed = sql.join(AMOUNTS.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
const amounts = sql.join(AMOUNTS.map((name) => sql.ref(name)))
const day = (at: string) => sql`(${sql.ref(at)} at time zone 'America/Sao_Paulo')::date`
const visible = sql`(select *, 1 as claims from claims where deleted_at is null) claims`
const FACTS = ['claims', 'days', 'normal_claims', 'accepted_claims', 'amount']
const facts = sql.join(FACTS.map((name) => sql.ref(name)))
const factSums = sql.join(FACTS.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
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
  claim_days: {
    noted: sql`select scope_id, kind, day::text, brand_id, ${factSums} from (
        select scope_id, kind, day, brand_id, ${facts} from claim_days
        union all select scope_id, kind, day, brand_id, ${facts} from claim_day_deltas ${scopes}) noted
      group by scope_id, kind, day, brand_id having sum(claims) <> 0 order by 1, 2, 3, 4`,
    actual: sql`select scope_id, kind, day::text, brand_id, ${factSums} from (
        select company_id, brand_id, 'receivable'::claim_day_kind as kind, ${day('sent_at')} as day, 1 as claims,
          0 as days, 0 as normal_claims, 0 as accepted_claims, open_amount as amount
        from ${visible} where open_amount > 0
        union all
        select company_id, brand_id, 'answer', ${day('first_answered_at')}, 1,
          ${day('first_answered_at')} - ${day('sent_at')}, (type = 'normal')::int,
          (type = 'normal' and first_outcome = 'accepted')::int, 0
        from ${visible} where first_answered_at is not null
        union all
        select company_id, brand_id, 'credit', ${day('credited_at')}, 1, ${day('credited_at')} - ${day('sent_at')}, 0, 0, 0
        from ${visible} where credited_at is not null) facts ${scopes}
      group by scope_id, kind, day, brand_id order by 1, 2, 3, 4`,
  },
  claim_refusals: {
    noted: sql`select claim_id, line_id, decided_at, reason, evidence_category, amount, company_id, brand_id, technician_user_id,
        order_deleted_at from claim_refusals order by 1, 2, 3`,
    actual: sql`select decision.claim_id, line.id as line_id, decided_at, answer.reason, answer.evidence_category,
        line.claimed - answer.authorised as amount, worked.company_id, worked.brand_id, worked.technician_user_id,
        worked.deleted_at as order_deleted_at
      from claim_decisions decision join claim_decision_lines answer on answer.decision_id = decision.id
        join claim_lines line on line.id = answer.line_id join claims on claims.id = decision.claim_id
        join service_orders worked on worked.id = claims.order_id
      where decision.outcome in ('partial', 'rejected') and answer.authorised < line.claimed
        and not exists (select from claim_decisions correction where correction.corrects_id = decision.id)
      order by 1, 2, 3`,
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
