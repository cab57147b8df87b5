import { type Kysely, sql } from 'kysely'

/** Numbers of claims, and what they wait for. */
export async function up(db: Kysely<unknown>) {
  await settings(db)
  await totals(db)
  await partsAndVisits(db)
}

/** Of a brand: days of its windows, empty for none. Of a company: what a manager may write off. Of a person: the mail of deadlines. */
async function settings(db: Kysely<unknown>) {
  const days = ['claim_send_days', 'claim_return_days', 'claim_appeal_days', 'claim_part_days']
  for (const name of [...days, 'claim_answer_days', 'claim_credit_days'])
    await sql`
      alter table brands add column ${sql.ref(name)} integer check (${sql.ref(name)} between 1 and 3650)`.execute(
      db,
    )
  await sql`
    alter table brands
      add column payment_tolerance numeric(14, 2) not null default 0 check (payment_tolerance >= 0),
      add column submission_channel text not null default 'portal'
        check (submission_channel in ('portal', 'email')),
      add column submission_email text check (length(submission_email) between 3 and 255),
      add column submission_fields text[] not null default '{}',
      add check (submission_channel <> 'email' or submission_email is not null)`.execute(db)
  await sql`
    alter table companies
      add column write_off_limit numeric(14, 2) not null default 0 check (write_off_limit >= 0)`.execute(db)
  await sql`
    alter table users
      add column wants_deadline_mail boolean not null default true,
      add column deadline_mail_sent_on date`.execute(db)
}

/** Numbers and amounts by company, brand and state, as those of orders: noted by each statement, folded now and then. */
async function totals(db: Kysely<unknown>) {
  const sums = ['claims', 'claimed', 'authorised', 'paid', 'debited', 'written_off', 'open_amount']
  const column = (name: string) => (name === 'claims' ? sql`bigint` : sql`numeric(20, 2)`)
  const columns = sql.join(sums.map((name) => sql`${sql.ref(name)} ${column(name)} not null`))
  const keys = sql`company_id bigint not null, brand_id bigint not null, state claim_state not null`
  await sql`create table claim_deltas (${keys}, ${columns})
    with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`.execute(db)
  await sql`create table claim_totals (${keys}, ${columns}, primary key (company_id, brand_id, state))
    with (fillfactor = 70)`.execute(db)
  const names = sql.join(sums.map((name) => sql.ref(name)))
  const summed = sql.join(sums.map((name) => sql`sum(${sql.ref(name)})`))
  const added = sql.join(
    sums.map((name) => sql`${sql.ref(name)} = t.${sql.ref(name)} + excluded.${sql.ref(name)}`),
  )
  await sql`
    create function fold_claims() returns void language plpgsql as $$
    begin
      -- An older snapshot than the lock would miss what the last one folded.
      if current_setting('transaction_isolation') <> 'read committed'
        or not pg_try_advisory_xact_lock(7201018) then return; end if;
      with noted as (delete from claim_deltas returning *)
      insert into claim_totals as t (company_id, brand_id, state, ${names})
        select company_id, brand_id, state, ${summed} from noted group by 1, 2, 3 order by 1, 2, 3
      on conflict (company_id, brand_id, state) do update set ${added};
    end $$`.execute(db)
  for (const [verb, sides] of [
    ['insert', ['new']],
    ['update', ['new', 'old']],
    ['delete', ['old']],
  ] as const) {
    const facts = sql.join(
      sides.map((side) => {
        const sign = sql.lit(side === 'new' ? 1 : -1)
        const amounts = sums.slice(1).map((name) => sql`${sign} * ${sql.ref(name)} as ${sql.ref(name)}`)
        return sql`select company_id, brand_id, state, ${sign} as claims, ${sql.join(amounts)}
          from ${sql.ref(`${side}_rows`)} where deleted_at is null`
      }),
      sql` union all `,
    )
    const name = sql.ref(`note_claims_${verb}`)
    const changed = sql.join(
      sums.map((one) => sql`sum(${sql.ref(one)}) <> 0`),
      sql` or `,
    )
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      declare noted bigint;
      begin
        insert into claim_deltas (company_id, brand_id, state, ${names})
          select company_id, brand_id, state, ${summed} from (${facts}) facts
          group by company_id, brand_id, state having ${changed};
        get diagnostics noted = row_count;
        if random() * 200 < noted then perform fold_claims(); end if;
        return null;
      end $$`.execute(db)
    const tables = sql.join(
      sides.map((side) => sql`${sql.raw(side)} table as ${sql.ref(`${side}_rows`)}`),
      sql` `,
    )
    await sql`
      create trigger ${name} after ${sql.raw(verb)} on claims referencing ${tables}
      for each statement execute function ${name}()`.execute(db)
  }
}

/** Parts to be returned, visits of one defect, and the calendar of deadlines. */
async function partsAndVisits(db: Kysely<unknown>) {
  // What the invoice of the return has to say (Convênio ICMS 129/06): value of the part, order, certificate.
  await sql`
    create table part_returns (
      id bigint generated always as identity primary key,
      claim_id bigint not null references claims (id) on delete cascade,
      line_id bigint not null unique references claim_lines (id) on delete cascade,
      state text not null default 'held' check (state in ('held', 'requested', 'sent', 'received', 'scrapped')),
      place text check (length(place) between 1 and 60),
      due_on date,
      attributed_value numeric(14, 2) check (attributed_value >= 0),
      certificate_number text check (length(certificate_number) between 1 and 60),
      certificate_issued_on date,
      certificate_until date,
      invoice_number text check (length(invoice_number) between 1 and 20),
      invoice_key text check (invoice_key ~ '^[0-9]{44}$'),
      carrier text check (length(carrier) between 1 and 120),
      sent_on date,
      received_on date,
      note text,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (state not in ('sent', 'received') or sent_on is not null)
    )`.execute(db)
  await sql`create index part_returns_claim on part_returns (claim_id)`.execute(db)
  await sql`create index part_returns_due on part_returns (due_on, id)
    where due_on is not null and state in ('held', 'requested')`.execute(db)
  // Visits of one vehicle to one company for one defect add up (CDC, art. 18 §1º).
  await sql`
    create table defect_groups (
      id bigint generated always as identity primary key,
      company_id bigint not null references companies (id) on delete restrict,
      title text not null check (length(title) between 1 and 120),
      actor_name text not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index defect_groups_company on defect_groups (company_id)`.execute(db)
  // Absent dates are those of the order: its opening and its completion.
  await sql`
    create table defect_visits (
      order_id bigint primary key references service_orders (id) on delete cascade,
      group_id bigint not null references defect_groups (id) on delete cascade,
      arrived_at timestamptz,
      repaired_at timestamptz,
      actor_name text not null,
      created_at timestamptz not null default now(),
      check (repaired_at >= arrived_at)
    )`.execute(db)
  await sql`create index defect_visits_group on defect_visits (group_id)`.execute(db)
  await sql`
    create table visit_facts (
      id bigint generated always as identity primary key,
      order_id bigint not null references service_orders (id) on delete cascade,
      kind text not null check (kind in ('awaiting_part', 'loan_car')),
      from_on date not null,
      until_on date check (until_on >= from_on),
      note text,
      actor_name text not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index visit_facts_order on visit_facts (order_id)`.execute(db)
  // The address has the token, the table its hash; a new one replaces the former.
  await sql`
    create table calendar_feeds (
      user_id bigint primary key references users (id) on delete cascade,
      token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    )`.execute(db)
}
