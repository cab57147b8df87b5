import { type Kysely, sql } from 'kysely'

/**
 * What is shown of many claims without reading them: totals of all companies together and of each, what is to be
 * received by the day of the sending, and the first answer of each claim.
 *
 * `claim_totals` has what the release before reads, and can go with the release after this one.
 */
export async function up(db: Kysely<unknown>) {
  await tables(db)
  await fillIn(db)
  await notes(db)
  await fold(db)
  await firstAnswers(db)
}

const AMOUNTS = ['claimed', 'authorised', 'paid', 'debited', 'written_off', 'open_amount']
const SUMS = ['claims', ...AMOUNTS]
/** Claims of which something is expected, and those paid more than was claimed. */
const SIDES = ['receivable_claims', 'receivable', 'overpaid_claims', 'overpaid']
const isCount = (name: string) => name.endsWith('claims')
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
  await sql`
    create table claim_receivable_days (
      scope_id bigint not null, day date not null, brand_id bigint not null, ${columns(['claims', 'amount'])},
      primary key (scope_id, day, brand_id)
    ) with (fillfactor = 70)`.execute(db)
  await sql`comment on column claim_receivable_days.day is 'of the first sending, in São Paulo'`.execute(db)
  await sql`
    alter table claim_deltas add column sent_on date,
      ${sql.join(SIDES.map((name) => sql`add column ${column(name)} default 0`))}`.execute(db)
}

const sentOn = sql`(sent_at at time zone 'America/Sao_Paulo')::date`
const sides = (sign: number) => sql`
  case when open_amount > 0 then ${sql.lit(sign)} else 0 end as receivable_claims,
  case when open_amount > 0 then ${sql.lit(sign)} * open_amount else 0 end as receivable,
  case when open_amount < 0 then ${sql.lit(sign)} else 0 end as overpaid_claims,
  case when open_amount < 0 then ${sql.lit(sign)} * open_amount else 0 end as overpaid`

/** Nothing may be noted between the last folding by the former function and the sums of what exists. */
async function fillIn(db: Kysely<unknown>) {
  await sql`lock table claims in share mode`.execute(db)
  await sql`select pg_advisory_xact_lock(7201018), fold_claims()`.execute(db)
  const visible = sql`(
    select *, 1 as claims, ${sentOn} as sent_on, ${sides(1)} from claims where deleted_at is null) visible`
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
    insert into claim_receivable_days (scope_id, day, brand_id, claims, amount)
      select scope_id, sent_on, brand_id, sum(receivable_claims), sum(receivable)
      from ${visible} cross join lateral unnest(array[0, company_id]) scopes (scope_id)
      where receivable_claims > 0 group by 1, 2, 3`.execute(db)
}

/** As in 0060, with the day of the sending and the sides. */
async function notes(db: Kysely<unknown>) {
  const all = [...SUMS, ...SIDES]
  for (const [verb, rows] of [
    ['insert', ['new']],
    ['update', ['new', 'old']],
    ['delete', ['old']],
  ] as const) {
    const facts = sql.join(
      rows.map((side) => {
        const sign = side === 'new' ? 1 : -1
        const amounts = AMOUNTS.map((name) => sql`${sql.lit(sign)} * ${sql.ref(name)} as ${sql.ref(name)}`)
        return sql`select company_id, brand_id, state, ${sentOn} as sent_on, ${sql.lit(sign)} as claims,
          ${sql.join(amounts)}, ${sides(sign)}
          from ${sql.ref(`${side}_rows`)} where deleted_at is null`
      }),
      sql` union all `,
    )
    const changed = sql.join(
      all.map((one) => sql`sum(${sql.ref(one)}) <> 0`),
      sql` or `,
    )
    await sql`
      create or replace function ${sql.ref(`note_claims_${verb}`)}() returns trigger language plpgsql as $$
      declare noted bigint;
      begin
        insert into claim_deltas (company_id, brand_id, state, sent_on, ${names(all)})
          select company_id, brand_id, state, sent_on, ${summed(all)} from (${facts}) facts
          group by company_id, brand_id, state, sent_on having ${changed};
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
        on conflict (company_id, brand_id) do update set ${added(SUMS)}),
      days as (
        insert into claim_receivable_days as t (scope_id, day, brand_id, claims, amount)
          select scope_id, sent_on, brand_id, sum(receivable_claims), sum(receivable) from scoped
          where receivable_claims <> 0 or receivable <> 0 group by 1, 2, 3 order by 1, 2, 3
        on conflict (scope_id, day, brand_id) do update set ${added(['claims', 'amount'])})
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
  await sql`
    create index claims_first_answered on claims (first_answered_at, id)
    include (company_id, brand_id, state, type, first_outcome, sent_at)
    where deleted_at is null and first_answered_at is not null`.execute(db)
}
