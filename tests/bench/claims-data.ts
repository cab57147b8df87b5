import type pg from 'pg'

/**
 * One claim of each order after three years, with one line: most are reconciled, some wait for an answer or for money,
 * some were refused. Deterministic.
 */
export async function insertClaims(pool: pg.Pool, to: number, tell: (text: string) => void) {
  const client = await pool.connect()
  const count = async (table: string) =>
    (await client.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? 0
  try {
    if ((await count('claim_sums')) > 0) return
    await client.query(RANDOM)
    await client.query(
      `set maintenance_work_mem = '512MB'; set work_mem = '64MB'; set synchronous_commit = off`,
    )
    for (const table of TABLES) await client.query(`alter table ${table} disable trigger user`)
    // An interrupted filling starts again.
    await client.query('truncate claims cascade')
    await client.query(`create table if not exists claim_indexes as ${INDEXES}`)
    // Building them over the whole table takes a fraction of the time.
    const { rows: indexes } = await client.query<{ name: string; definition: string }>('table claim_indexes')
    for (const { name } of indexes) await client.query(`drop index if exists ${name}`)
    for (const [name, text] of Object.entries(STEPS)) {
      await client.query(text)
      tell(name)
    }
    for (const { name, definition } of indexes) {
      await client.query(definition)
      tell(name)
    }
    for (const table of TABLES) await client.query(`alter table ${table} enable trigger user`)
    await client.query('vacuum (analyze)')
    // Last: it says that all is there.
    await client.query(SUMS)
    await client.query('vacuum (analyze) claim_sums, claim_company_sums, claim_days')
    await client.query('drop table claim_indexes')
    await client.query('reset all')
    if ((await count('claims')) !== to) throw new Error(`not ${to} claims were made`)
  } finally {
    client.release()
  }
}

const TABLES = ['claims', 'claim_lines', 'claim_submissions', 'claim_decisions', 'claim_decision_lines']
const INDEXES = `
select i.relname as name, pg_get_indexdef(i.oid) as definition
from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
where t.relname in ('claims', 'claim_lines', 'claim_submissions', 'claim_decisions', 'claim_decision_lines', 'claim_refusals')
  and not exists (select from pg_constraint c where c.conindid = i.oid)`
/** Pseudo-random numbers for a row: `u(i, k)` is between 0 and 1. */
const RANDOM = `create or replace function pg_temp.u(i bigint, k bigint) returns float8 language sql immutable
  return (hashint8extended(i, k) & 2147483647)::float8 / 2147483648.0`

/** Of a hundred claims. */
const STATES = {
  ...{ draft: 2, sent: 3, in_review: 4, returned: 1, accepted: 3, partial: 3, rejected: 4, credited: 5 },
  ...{ debited: 1, withdrawn: 1, reconciled: 73 },
}
const states = Object.entries(STATES).flatMap(([state, share]) => Array(share).fill(`'${state}'`))

const CLAIMS = `
insert into claims (order_id, n, type, company_id, brand_id, state, brand_number, claimed, authorised, paid, debited,
  written_off, sent_at, answered_at, first_answered_at, first_outcome, credited_at, reconciled_at, withdrawn_at, due_on, due_kind, search, actor_name,
  created_at, updated_at, deleted_at)
select order_id, 1, 'normal', company_id, brand_id, state::claim_state, brand_number, claimed,
  case when state in ('accepted', 'credited', 'debited', 'reconciled') then claimed
    when state = 'partial' then round(claimed / 2, 2) else 0 end,
  case when state in ('credited', 'debited', 'reconciled') then claimed else 0 end,
  case when state = 'debited' then claimed else 0 end,
  case when state = 'rejected' and drawn < 0.7 then claimed else 0 end,
  case when state <> 'draft' then sent_at end,
  case when is_answered then answered_at end, case when is_answered then answered_at end,
  case when is_answered then (case when state in ('partial', 'rejected', 'returned') then state else 'accepted' end)::claim_state end,
  case when state in ('credited', 'debited', 'reconciled') then answered_at + interval '20 days' end,
  case when state = 'reconciled' then answered_at + interval '25 days' end,
  case when state = 'withdrawn' then answered_at end,
  case when kind is not null then (answered_at + interval '40 days')::date end, kind,
  search || fold(' ' || coalesce(brand_number || ' ' || brand_number, '')), 'Bench', sent_at - interval '1 day',
  answered_at, null
from (
  select *, state not in ('draft', 'sent', 'in_review', 'withdrawn') as is_answered, case state when 'draft' then 'send' when 'sent' then 'answer' when 'in_review' then 'answer'
    when 'returned' then 'return' when 'accepted' then 'credit' when 'partial' then 'appeal'
    when 'rejected' then 'appeal' end as kind
  from (
    select id as order_id, company_id, brand_id, search, greatest(1, service_value + parts_value) as claimed,
      (array[${states.join(', ')}])[1 + floor(100 * pg_temp.u(id, 101))::int] as state,
      pg_temp.u(id, 102) as drawn,
      case when pg_temp.u(id, 103) < 0.7 then 'SG' || os_number end as brand_number,
      opened_at + (5 + 20 * pg_temp.u(id, 104)) * interval '1 day' as sent_at,
      opened_at + (26 + 20 * pg_temp.u(id, 105)) * interval '1 day' as answered_at
    from service_orders) drawn) named`

const LINES = `
insert into claim_lines (claim_id, n, kind, description, claimed, authorised, reason, paid, debited, written_off)
select id, 1, 'third_party', 'Reparo em garantia', claimed, case when answered_at is not null then authorised end,
  case when state in ('partial', 'rejected') then 'evidence_missing' end, paid, debited, written_off
from claims`

const SUBMISSIONS = `
insert into claim_submissions (claim_id, n, dossier_n, channel, brand_number, sent_at, actor_name, created_at)
select id, 1, 1, 'portal', brand_number, sent_at, 'Bench', sent_at from claims where sent_at is not null`

const DECISIONS = `
insert into claim_decisions (claim_id, n, outcome, decided_at, actor_name)
select id, 1, case when state in ('partial', 'rejected', 'returned') then state else 'accepted' end, answered_at, 'Bench'
from claims where answered_at is not null`

const ANSWERS = `
insert into claim_decision_lines (decision_id, line_id, authorised, reason, evidence_category)
select decision.id, line.id, coalesce(line.authorised, 0), line.reason,
  case when line.reason is not null and pg_temp.u(line.id, 106) < 0.5 then 'placa' end
from claim_decisions decision join claim_lines line on line.claim_id = decision.claim_id
where decision.outcome <> 'returned'`

const REFUSALS = `
insert into claim_refusals (decision_id, line_id, claim_id, decided_at, reason, evidence_category, amount)
select decision.id, line.id, line.claim_id, decided_at, answer.reason, answer.evidence_category,
  line.claimed - answer.authorised
from claim_decision_lines answer join claim_decisions decision on decision.id = answer.decision_id
  join claim_lines line on line.id = answer.line_id
where answer.reason is not null`

const STEPS = {
  ...{ claims: CLAIMS, lines: LINES, submissions: SUBMISSIONS, decisions: DECISIONS, answers: ANSWERS },
  refusals: REFUSALS,
}

const AMOUNTS = 'claimed, authorised, paid, debited, written_off, open_amount'
const summed = `count(*), ${AMOUNTS.replaceAll(/\w+/g, 'sum($&)')}`
const SCOPES = 'cross join lateral unnest(array[0, company_id]) scopes (scope_id)'
const day = (at: string) => `(${at} at time zone 'America/Sao_Paulo')::date`
/** In the order in which the product adds them day by day. */
const SUMS = `
begin;
create temporary view dated as
select *, ${day('sent_at')} as sent_on, ${day('first_answered_at')} as answered_on, ${day('credited_at')} as credited_on
from claims;
insert into claim_sums (scope_id, brand_id, state, claims, ${AMOUNTS}, receivable_claims, receivable, overpaid_claims,
  overpaid)
select scope_id, brand_id, state, ${summed}, count(*) filter (where open_amount > 0),
  coalesce(sum(open_amount) filter (where open_amount > 0), 0), count(*) filter (where open_amount < 0),
  coalesce(sum(open_amount) filter (where open_amount < 0), 0)
from claims ${SCOPES} group by 1, 2, 3 order by 1, 2, 3;
insert into claim_company_sums (company_id, brand_id, claims, ${AMOUNTS})
select company_id, brand_id, ${summed} from claims group by 1, 2 order by 1, 2;
insert into claim_days (scope_id, kind, day, brand_id, claims, days, normal_claims, accepted_claims, amount)
select scope_id, kind, day, brand_id, count(*), sum(days), sum(answered), sum(accepted), sum(amount) from (
  select company_id, brand_id, 'receivable'::claim_day_kind as kind, sent_on as day, 0 as days, 0 as answered,
    0 as accepted, open_amount as amount
  from dated where open_amount > 0
  union all
  select company_id, brand_id, 'answer', answered_on, answered_on - sent_on, 1, (first_outcome = 'accepted')::int, 0
  from dated where answered_on is not null
  union all
  select company_id, brand_id, 'credit', credited_on, credited_on - sent_on, 0, 0, 0
  from dated where credited_on is not null) facts ${SCOPES} group by 1, 2, 3, 4 order by 3, 1, 2, 4;
commit`
