import { type Kysely, sql } from 'kysely'

/** Warranty claims. Their amounts are always the sums of their lines. */
export async function up(db: Kysely<unknown>) {
  await claims(db)
  await indexes(db)
  await lines(db)
  await copies(db)
}

const MONEY = ['claimed', 'authorised', 'paid', 'debited', 'written_off', 'carried']

async function claims(db: Kysely<unknown>) {
  await sql`create type claim_type as enum ('normal', 'appeal', 'supplement')`.execute(db)
  await sql`
    create type claim_state as enum ('draft', 'sent', 'in_review', 'returned', 'accepted', 'partial', 'rejected',
      'credited', 'reconciled', 'debited', 'withdrawn')`.execute(db)
  await sql`create type claim_line_kind as enum ('part', 'labour', 'third_party')`.execute(db)
  await sql`create type claim_entry_kind as enum ('payment', 'debit', 'write_off', 'carry')`.execute(db)
  // company_id, brand_id, deleted_at and search are those of the order, copied by triggers. open_amount: what is
  // still expected; carried is what an appeal claims instead, so that it is not expected twice.
  await sql`
    create table claims (
      id bigint generated always as identity primary key,
      order_id bigint not null references service_orders (id) on delete cascade,
      n integer not null check (n > 0),
      type claim_type not null,
      previous_id bigint references claims (id) on delete cascade,
      company_id bigint not null references companies (id) on delete restrict,
      brand_id bigint not null references brands (id) on delete restrict,
      state claim_state not null default 'draft',
      brand_number text check (length(brand_number) between 1 and 60),
      note text,
      ${sql.join(MONEY.map((name) => sql`${sql.ref(name)} numeric(14, 2) not null default 0 check (${sql.ref(name)} >= 0)`))},
      open_amount numeric(14, 2) not null generated always as (
        case when state in ('draft', 'withdrawn') then 0 else claimed - paid - written_off - carried end) stored,
      sent_at timestamptz,
      answered_at timestamptz,
      credited_at timestamptz,
      reconciled_at timestamptz,
      withdrawn_at timestamptz,
      due_on date,
      due_kind text check (due_kind in ('send', 'answer', 'return', 'appeal', 'credit')),
      search text not null default '',
      version integer not null default 1,
      created_by bigint references users (id) on delete set null,
      actor_name text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      unique (order_id, n),
      check ((type = 'normal') = (previous_id is null)),
      check (previous_id <> id),
      check (case state when 'draft' then sent_at is null when 'withdrawn' then true else sent_at is not null end),
      check ((state = 'withdrawn') = (withdrawn_at is not null)),
      check (state <> 'reconciled' or reconciled_at is not null),
      check (debited <= paid),
      check ((due_on is null) = (due_kind is null))
    ) with (fillfactor = 85, autovacuum_vacuum_insert_scale_factor = 0.02)`.execute(db)
  await sql`
    create unique index claims_first on claims (order_id) where type = 'normal' and state <> 'withdrawn'`.execute(
    db,
  )
}

/** As for orders: each sort order of the list includes the columns of its filters, for all and for one company. */
async function indexes(db: Kysely<unknown>) {
  const live = sql`where deleted_at is null`
  const filters = sql`brand_id, state, type, open_amount`
  for (const key of ['created_at', 'sent_at', 'due_on', 'open_amount', 'claimed']) {
    const column = sql.ref(key)
    const included = key === 'open_amount' ? sql`brand_id, state, type` : filters
    await sql`create index ${sql.ref(`claims_by_${key}`)} on claims (${column}, id)
      include (company_id, ${included}) ${live}`.execute(db)
    await sql`create index ${sql.ref(`claims_by_${key}_in_company`)} on claims (company_id, ${column}, id)
      include (${included}) ${live}`.execute(db)
  }
  await sql`create index claims_by_brand on claims (brand_id, created_at, id)
    include (company_id, state, type, open_amount) ${live}`.execute(db)
  await sql`create index claims_by_state on claims (state, created_at, id)
    include (company_id, brand_id, type, open_amount) ${live}`.execute(db)
  await sql`create index claims_receivable on claims (company_id, sent_at)
    include (brand_id, open_amount) where deleted_at is null and open_amount > 0`.execute(db)
  await sql`create index claims_due on claims (due_on, id)
    include (company_id, brand_id, due_kind) where deleted_at is null and due_on is not null`.execute(db)
  await sql`create index claims_by_brand_number on claims (brand_number, brand_id)
    where brand_number is not null`.execute(db)
  await sql`create index claims_previous on claims (previous_id) where previous_id is not null`.execute(db)
  await sql`create index claims_creator on claims (created_by)`.execute(db)
  await sql`create index claims_search on claims using gin (search gin_trgm_ops)
    with (fastupdate = off) ${live}`.execute(db)
  await sql`alter table claims alter column search set statistics 500`.execute(db)
}

async function lines(db: Kysely<unknown>) {
  // authorised is null until the brand has decided. previous_id: the line of the claim that an appeal contests.
  await sql`
    create table claim_lines (
      id bigint generated always as identity primary key,
      claim_id bigint not null references claims (id) on delete cascade,
      n integer not null check (n > 0),
      kind claim_line_kind not null,
      previous_id bigint references claim_lines (id) on delete cascade,
      description text not null check (length(description) between 1 and 255),
      part_number text check (length(part_number) between 1 and 60),
      quantity numeric(10, 3) check (quantity > 0),
      is_causal boolean not null default false,
      labour_code text check (length(labour_code) between 1 and 60),
      hours numeric(6, 2) check (hours > 0),
      supplier text check (length(supplier) between 1 and 255),
      document text check (length(document) between 1 and 60),
      claimed numeric(14, 2) not null check (claimed > 0),
      authorised numeric(14, 2) check (authorised between 0 and claimed),
      reason text check (reason ~ '^[a-z_]{1,40}$'),
      paid numeric(14, 2) not null default 0 check (paid >= 0),
      debited numeric(14, 2) not null default 0 check (debited between 0 and paid),
      written_off numeric(14, 2) not null default 0 check (written_off >= 0),
      carried numeric(14, 2) not null default 0 check (carried between 0 and claimed),
      unique (claim_id, n),
      check ((kind = 'part') = (part_number is not null)),
      check ((kind = 'part') = (quantity is not null)),
      check ((kind = 'labour') = (labour_code is not null)),
      check ((kind = 'labour') = (hours is not null)),
      check (kind = 'third_party' or (supplier is null and document is null)),
      check (kind = 'part' or not is_causal)
    )`.execute(db)
  await sql`create index claim_lines_previous on claim_lines (previous_id) where previous_id is not null`.execute(
    db,
  )
  await sql`
    create function keep_sent_lines() returns trigger language plpgsql as $$
    begin
      if exists (select from claims where id = new.claim_id and state <> 'draft') then
        raise exception 'the lines of a claim that was sent do not change' using errcode = 'check_violation';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger keep_sent_lines before insert or update of claim_id, n, kind, previous_id, description,
      part_number, quantity, is_causal, labour_code, hours, supplier, document, claimed on claim_lines
    for each row execute function keep_sent_lines()`.execute(db)
  for (const [verb, rows] of [
    ['insert', ['new']],
    ['update', ['old', 'new']],
    ['delete', ['old']],
  ] as const) {
    const name = sql.ref(`sum_lines_${verb}`)
    const changed = sql.join(
      rows.map((side) => sql`select distinct claim_id from ${sql.ref(`${side}_rows`)}`),
      sql` union `,
    )
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        update claims set ${sql.join(MONEY.map((column) => sql`${sql.ref(column)} = sums.${sql.ref(column)}`))}
        from (
          select changed.claim_id,
            ${sql.join(MONEY.map((column) => sql`coalesce(sum(${sql.ref(column)}), 0) as ${sql.ref(column)}`))}
          from (${changed}) changed left join claim_lines on claim_lines.claim_id = changed.claim_id
          group by changed.claim_id) sums
        where claims.id = sums.claim_id;
        return null;
      end $$`.execute(db)
    const tables = sql.join(
      rows.map((side) => sql`${sql.raw(side)} table as ${sql.ref(`${side}_rows`)}`),
      sql` `,
    )
    await sql`
      create trigger ${name} after ${sql.raw(verb)} on claim_lines referencing ${tables}
      for each statement execute function ${name}()`.execute(db)
  }
}

/** What a claim has of its order follows the order. */
async function copies(db: Kysely<unknown>) {
  await sql`
    create function copy_order_to_claim() returns trigger language plpgsql as $$
    begin
      select company_id, brand_id, deleted_at, search || fold(' ' || coalesce(new.brand_number, ''))
        into new.company_id, new.brand_id, new.deleted_at, new.search
        from service_orders where id = new.order_id;
      return new;
    end $$`.execute(db)
  await sql`create trigger copy_order before insert or update of order_id, brand_number, search on claims
    for each row execute function copy_order_to_claim()`.execute(db)
  await sql`
    create function copy_order_to_claims() returns trigger language plpgsql as $$
    begin
      update claims set search = '' where order_id = new.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger copy_order_to_claims after update on service_orders for each row
    when ((old.company_id, old.brand_id, old.deleted_at, old.search)
      is distinct from (new.company_id, new.brand_id, new.deleted_at, new.search))
    execute function copy_order_to_claims()`.execute(db)
}
