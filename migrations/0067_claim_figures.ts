import { type Kysely, sql } from 'kysely'

/**
 * What is shown of many claims without reading them: totals of all companies together and of each, what is to be
 * received, answered and credited by day, the first answer of each claim, and the refused lines.
 *
 * `claim_totals` has what the release before reads, and can go with the release after this one.
 */
export async function up(db: Kysely<unknown>) {
  await tables(db)
  await firstAnswers(db)
  await refusals(db)
  await fillIn(db)
  await notes(db)
  await fold(db)
}

const AMOUNTS = ['claimed', 'authorised', 'paid', 'debited', 'written_off', 'open_amount']
const SUMS = ['claims', ...AMOUNTS]
/** Claims of which something is expected, and those paid more than was claimed. */
const SIDES = ['receivable_claims', 'receivable', 'overpaid_claims', 'overpaid']
/** Of a day: how many, their days, and of them those of the first type and those accepted; and their amount. */
const FACTS = ['claims', 'days', 'normal_claims', 'accepted_claims', 'amount']
const isCount = (name: string) => name.endsWith('claims') || name === 'days'
const column = (name: string) =>
  sql`${sql.ref(name)} ${isCount(name) ? sql`bigint` : sql`numeric(20, 2)`} not null`
const columns = (names: readonly string[]) => sql.join(names.map(column))
const names = (list: readonly string[]) => sql.join(list.map((name) => sql.ref(name)))
const summed = (list: readonly string[]) => sql.join(list.map((name) => sql`sum(${sql.ref(name)})`))
const added = (list: readonly string[]) =>
  sql.join(list.map((name) => sql`${sql.ref(name)} = t.${sql.ref(name)} + excluded.${sql.ref(name)}`))

async function tables(db: Kysely<unknown>) {
  await sql`
    create table claim_sums (
      scope_id bigint not null, brand_id bigint not null, state claim_state not null, ${columns([...SUMS, ...SIDES])},
      primary key (scope_id, brand_id, state)
    ) with (fillfactor = 70)`.execute(db)
  await sql`comment on column claim_sums.scope_id is 'a company, or 0 for all'`.execute(db)
  await sql`
    create table claim_company_sums (
      company_id bigint not null, brand_id bigint not null, ${columns(SUMS)}, primary key (company_id, brand_id)
    ) with (fillfactor = 70)`.execute(db)
  await sql`create type claim_day_kind as enum ('receivable', 'answer', 'credit')`.execute(db)
  await sql`
    create table claim_days (
      scope_id bigint not null, kind claim_day_kind not null, day date not null, brand_id bigint not null,
      ${columns(FACTS)}, primary key (scope_id, kind, day, brand_id)
    ) with (fillfactor = 70)`.execute(db)
  await sql`comment on table claim_days is
    'claims by day, in São Paulo, of their sending while something is expected, of their first answer, of their credit'`.execute(
    db,
  )
  await sql`comment on column claim_days.days is 'from the sending of each, added up'`.execute(db)
  await sql`
    create table claim_day_deltas (
      company_id bigint not null, kind claim_day_kind not null, day date not null, brand_id bigint not null,
      ${columns(FACTS)}
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`.execute(db)
  await sql`
    alter table claim_deltas ${sql.join(SIDES.map((name) => sql`add column ${column(name)} default 0`))}`.execute(
    db,
  )
}

const dayOf = (name: string) => sql`(${sql.ref(name)} at time zone 'America/Sao_Paulo')::date`
const sides = (sign: number) => sql`
  case when open_amount > 0 then ${sql.lit(sign)} else 0 end as receivable_claims,
  case when open_amount > 0 then ${sql.lit(sign)} * open_amount else 0 end as receivable,
  case when open_amount < 0 then ${sql.lit(sign)} else 0 end as overpaid_claims,
  case when open_amount < 0 then ${sql.lit(sign)} * open_amount else 0 end as overpaid`

/** The facts of claims by day; `sign` is -1 for what they were before. */
const facts = (rows: ReturnType<typeof sql>, sign: number) => {
  const one = sql.lit(sign)
  const of = (kind: string, at: string, amounts: ReturnType<typeof sql>, condition = sql`true`) => sql`
    select company_id, ${sql.lit(kind)}::claim_day_kind as kind, ${dayOf(at)} as day, brand_id, ${one} as claims, ${amounts}
    from ${rows} where deleted_at is null and ${sql.ref(at)} is not null and ${condition}`
  const since = (at: string) => sql`${one} * (${dayOf(at)} - ${dayOf('sent_at')})`
  return sql.join(
    [
      of('receivable', 'sent_at', sql`0, 0, 0, ${one} * open_amount`, sql`open_amount > 0`),
      of(
        'answer',
        'first_answered_at',
        sql`${since('first_answered_at')}, case when type = 'normal' then ${one} else 0 end,
          case when type = 'normal' and first_outcome = 'accepted' then ${one} else 0 end, 0`,
      ),
      of('credit', 'credited_at', sql`${since('credited_at')}, 0, 0, 0`),
    ],
    sql` union all `,
  )
}
const namedFacts = (rows: ReturnType<typeof sql>) =>
  sql`(${rows}) facts (company_id, kind, day, brand_id, ${names(FACTS)})`

/** Nothing may be noted between the last folding by the former function and the sums of what exists. */
async function fillIn(db: Kysely<unknown>) {
  await sql`lock table claims in share mode`.execute(db)
  await sql`select pg_advisory_xact_lock(7201018), fold_claims()`.execute(db)
  const visible = sql`(
    select *, 1 as claims, ${sides(1)} from claims where deleted_at is null) visible`
  await sql`
    insert into claim_sums (scope_id, brand_id, state, ${names([...SUMS, ...SIDES])})
      select scope_id, brand_id, state, ${summed([...SUMS, ...SIDES])}
      from ${visible} cross join lateral unnest(array[0, company_id]) scopes (scope_id) group by 1, 2, 3`.execute(
    db,
  )
  await sql`
    insert into claim_company_sums (company_id, brand_id, ${names(SUMS)})
      select company_id, brand_id, ${summed(SUMS)} from ${visible} group by 1, 2`.execute(db)
  await sql`
    insert into claim_days (scope_id, kind, day, brand_id, ${names(FACTS)})
      select scope_id, kind, day, brand_id, ${summed(FACTS)}
      from ${namedFacts(facts(sql`claims`, 1))} cross join lateral unnest(array[0, company_id]) scopes (scope_id)
      group by 1, 2, 3, 4`.execute(db)
}

/** As in 0060, with the sides and the days. */
async function notes(db: Kysely<unknown>) {
  const all = [...SUMS, ...SIDES]
  for (const [verb, rows] of [
    ['insert', ['new']],
    ['update', ['new', 'old']],
    ['delete', ['old']],
  ] as const) {
    const sums = sql.join(
      rows.map((side) => {
        const sign = side === 'new' ? 1 : -1
        const amounts = AMOUNTS.map((name) => sql`${sql.lit(sign)} * ${sql.ref(name)} as ${sql.ref(name)}`)
        return sql`select company_id, brand_id, state, ${sql.lit(sign)} as claims, ${sql.join(amounts)}, ${sides(sign)}
          from ${sql.ref(`${side}_rows`)} where deleted_at is null`
      }),
      sql` union all `,
    )
    const ofDays = sql.join(
      rows.map((side) => facts(sql`${sql.ref(`${side}_rows`)}`, side === 'new' ? 1 : -1)),
      sql` union all `,
    )
    const changed = (list: readonly string[]) =>
      sql.join(
        list.map((one) => sql`sum(${sql.ref(one)}) <> 0`),
        sql` or `,
      )
    await sql`
      create or replace function ${sql.ref(`note_claims_${verb}`)}() returns trigger language plpgsql as $$
      declare noted bigint;
      begin
        insert into claim_day_deltas (company_id, kind, day, brand_id, ${names(FACTS)})
          select company_id, kind, day, brand_id, ${summed(FACTS)} from ${namedFacts(ofDays)}
          group by 1, 2, 3, 4 having ${changed(FACTS)};
        insert into claim_deltas (company_id, brand_id, state, ${names(all)})
          select company_id, brand_id, state, ${summed(all)} from (${sums}) facts
          group by 1, 2, 3 having ${changed(all)};
        get diagnostics noted = row_count;
        if random() * 200 < noted then perform fold_claims(); end if;
        return null;
      end $$`.execute(db)
  }
}

/** As in 0060, into the new tables as well. */
async function fold(db: Kysely<unknown>) {
  const all = [...SUMS, ...SIDES]
  await sql`
    create or replace function fold_claims() returns void language plpgsql as $$
    begin
      -- An older snapshot than the lock would miss what the last one folded.
      if current_setting('transaction_isolation') <> 'read committed'
        or not pg_try_advisory_xact_lock(7201018) then return; end if;
      with noted_days as (delete from claim_day_deltas returning *)
      insert into claim_days as t (scope_id, kind, day, brand_id, ${names(FACTS)})
        select scope_id, kind, day, brand_id, ${summed(FACTS)}
        from noted_days cross join lateral unnest(array[0, company_id]) scopes (scope_id)
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (scope_id, kind, day, brand_id) do update set ${added(FACTS)};
      with noted as (delete from claim_deltas returning *),
      scoped as materialized (
        select scope_id, noted.* from noted cross join lateral unnest(array[0, company_id]) scopes (scope_id)),
      sums as (
        insert into claim_sums as t (scope_id, brand_id, state, ${names(all)})
          select scope_id, brand_id, state, ${summed(all)} from scoped group by 1, 2, 3 order by 1, 2, 3
        on conflict (scope_id, brand_id, state) do update set ${added(all)}),
      of_companies as (
        insert into claim_company_sums as t (company_id, brand_id, ${names(SUMS)})
          select company_id, brand_id, ${summed(SUMS)} from noted group by 1, 2 order by 1, 2
        on conflict (company_id, brand_id) do update set ${added(SUMS)})
      insert into claim_totals as t (company_id, brand_id, state, ${names(SUMS)})
        select company_id, brand_id, state, ${summed(SUMS)} from noted group by 1, 2, 3 order by 1, 2, 3
      on conflict (company_id, brand_id, state) do update set ${added(SUMS)};
    end $$`.execute(db)
}

/** The first answer in force that says more than «in review». */
async function firstAnswers(db: Kysely<unknown>) {
  await sql`alter table claims add column first_answered_at timestamptz, add column first_outcome claim_state`.execute(
    db,
  )
  const first = (claim_id: ReturnType<typeof sql>) => sql`
    select decided_at, outcome from claim_decisions decision
    where claim_id = ${claim_id} and outcome <> 'in_review'
      and not exists (select from claim_decisions correction where correction.corrects_id = decision.id)
    order by n limit 1`
  // Their sums stay: the trigger that notes changes need not run for each claim that exists.
  await sql`alter table claims disable trigger user`.execute(db)
  await sql`
    update claims set first_answered_at = decided_at, first_outcome = outcome
    from claims answered cross join lateral (${first(sql`answered.id`)}) first
    where answered.id = claims.id`.execute(db)
  await sql`alter table claims enable trigger user`.execute(db)
  await sql`
    create function note_first_answer() returns trigger language plpgsql as $$
    begin
      update claims set (first_answered_at, first_outcome) = (${first(sql`new.claim_id`)})
        where id = new.claim_id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_first_answer after insert on claim_decisions for each row
    when (new.outcome <> 'in_review') execute function note_first_answer()`.execute(db)
  for (const at of ['first_answered_at', 'credited_at'])
    await sql`
      create index ${sql.ref(`claims_by_${at}`)} on claims (${sql.ref(at)}, id)
      include (company_id, brand_id, state, type) where deleted_at is null and ${sql.ref(at)} is not null`.execute(
      db,
    )
}

/** Lines that the answers in force have refused, whole or in part. What was claimed of a sent line does not change. */
async function refusals(db: Kysely<unknown>) {
  await sql`
    create table claim_refusals (
      decision_id bigint not null,
      line_id bigint not null,
      claim_id bigint not null references claims (id) on delete cascade,
      decided_at timestamptz not null,
      reason text,
      evidence_category text,
      amount numeric(14, 2) not null,
      primary key (decision_id, line_id),
      foreign key (decision_id, line_id) references claim_decision_lines (decision_id, line_id) on delete cascade
    )`.execute(db)
  await sql`create index claim_refusals_claim on claim_refusals (claim_id)`.execute(db)
  await sql`create index claim_refusals_by_time on claim_refusals (decided_at)
    include (claim_id, reason, evidence_category)`.execute(db)
  const refused = (answers: ReturnType<typeof sql>) => sql`
    insert into claim_refusals (decision_id, line_id, claim_id, decided_at, reason, evidence_category, amount)
    select decision.id, line.id, decision.claim_id, decision.decided_at, answer.reason, answer.evidence_category,
      line.claimed - answer.authorised
    from ${answers} answer
    join claim_decisions decision on decision.id = answer.decision_id
    join claim_lines line on line.id = answer.line_id
    where decision.outcome in ('partial', 'rejected') and answer.authorised < line.claimed
      and not exists (select from claim_decisions correction where correction.corrects_id = decision.id)`
  await refused(sql`claim_decision_lines`).execute(db)
  await sql`
    create function note_refusals() returns trigger language plpgsql as $$
    begin
      ${refused(sql`new_rows`)};
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_refusals after insert on claim_decision_lines referencing new table as new_rows
    for each statement execute function note_refusals()`.execute(db)
  await sql`
    create function end_refusals() returns trigger language plpgsql as $$
    begin
      delete from claim_refusals where decision_id = new.corrects_id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger end_refusals after insert on claim_decisions for each row
    when (new.corrects_id is not null) execute function end_refusals()`.execute(db)
}
