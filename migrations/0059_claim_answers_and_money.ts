import { type Kysely, sql } from 'kysely'

/** What brands answer and pay. The money of a line is always the sum of its entries. */
export async function up(db: Kysely<unknown>) {
  await answers(db)
  await remittances(db)
  await entries(db)
}

/** What was sent to the brand, and what it answered. */
async function answers(db: Kysely<unknown>) {
  await sql`
    create table claim_submissions (
      id bigint generated always as identity primary key,
      claim_id bigint not null references claims (id) on delete cascade,
      n integer not null check (n > 0),
      dossier_id bigint references dossiers (id) on delete set null,
      dossier_n integer not null check (dossier_n > 0),
      channel text not null check (channel in ('portal', 'email')),
      address text,
      brand_number text check (length(brand_number) between 1 and 60),
      message_id text,
      note text,
      sent_at timestamptz not null,
      user_id bigint references users (id) on delete set null,
      actor_name text not null,
      created_at timestamptz not null default now(),
      unique (claim_id, n)
    )`.execute(db)
  await sql`create index claim_submissions_dossier on claim_submissions (dossier_id)`.execute(db)
  await sql`create index claim_submissions_user on claim_submissions (user_id)`.execute(db)
  // A decision is never changed: another one corrects it, with a reason.
  await sql`
    create table claim_decisions (
      id bigint generated always as identity primary key,
      claim_id bigint not null references claims (id) on delete cascade,
      n integer not null check (n > 0),
      outcome claim_state not null
        check (outcome in ('in_review', 'returned', 'accepted', 'partial', 'rejected')),
      decided_at timestamptz not null,
      brand_code text,
      brand_words text,
      corrects_id bigint unique references claim_decisions (id) on delete cascade,
      reason text,
      user_id bigint references users (id) on delete set null,
      actor_name text not null,
      created_at timestamptz not null default now(),
      unique (claim_id, n),
      check (corrects_id is null or reason is not null)
    )`.execute(db)
  await sql`create index claim_decisions_user on claim_decisions (user_id)`.execute(db)
  await sql`create index claim_decisions_by_time on claim_decisions (decided_at)`.execute(db)
  await sql`
    create table claim_decision_lines (
      decision_id bigint not null references claim_decisions (id) on delete cascade,
      line_id bigint not null references claim_lines (id) on delete cascade,
      authorised numeric(14, 2) not null check (authorised >= 0),
      reason text check (reason ~ '^[a-z_]{1,40}$'),
      evidence_category text,
      field text,
      brand_code text,
      brand_words text,
      primary key (decision_id, line_id)
    )`.execute(db)
  await sql`create index claim_decision_lines_line on claim_decision_lines (line_id)`.execute(db)
}

async function remittances(db: Kysely<unknown>) {
  // As imports of orders: one row per file, content and rows removed after some days. Undone, the file may come again.
  await sql`
    create table remittances (
      id bigint generated always as identity primary key,
      company_id bigint not null references companies (id) on delete restrict,
      brand_id bigint not null references brands (id) on delete restrict,
      number text check (length(number) between 1 and 60),
      paid_on date,
      filename text check (length(filename) between 1 and 255),
      sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
      status text not null default 'reading'
        check (status in ('reading', 'read', 'running', 'done', 'failed', 'undone')),
      error text,
      content bytea,
      headings text[] not null default '{}',
      rows jsonb,
      mapping jsonb,
      lines integer not null default 0,
      progress integer not null default 0,
      total numeric(14, 2) not null default 0,
      user_id bigint references users (id) on delete set null,
      actor_name text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      finished_at timestamptz,
      undone_at timestamptz,
      undone_by bigint references users (id) on delete set null,
      undone_by_name text,
      undo_reason text,
      check ((filename is null) = (sha256 is null)),
      check ((status = 'undone') = (undone_at is not null)),
      check (undone_at is null or undo_reason is not null)
    )`.execute(db)
  await sql`create unique index remittances_file on remittances (company_id, sha256) where undone_at is null`.execute(
    db,
  )
  await sql`create index remittances_by_company on remittances (company_id, created_at, id)`.execute(db)
  await sql`create index remittances_by_brand on remittances (brand_id, created_at, id)`.execute(db)
  await sql`create index remittances_user on remittances (user_id)`.execute(db)
  await sql`create index remittances_undone_by on remittances (undone_by)`.execute(db)
  await sql`create index remittances_content on remittances (updated_at)
    where rows is not null or content is not null`.execute(db)
  await sql`
    create table remittance_lines (
      id bigint generated always as identity primary key,
      remittance_id bigint not null references remittances (id) on delete cascade,
      company_id bigint not null references companies (id) on delete restrict,
      line integer not null check (line > 0),
      fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
      brand_number text,
      os_number text,
      chassis_end text,
      amount numeric(14, 2) not null check (amount <> 0),
      outcome text not null
        check (outcome in ('matched', 'differing', 'unknown', 'duplicate', 'already_paid')),
      claim_id bigint references claims (id) on delete set null,
      expected numeric(14, 2),
      difference text check (difference ~ '^[a-z_]{1,40}$'),
      resolution text check (resolution in ('booked', 'written_off', 'ignored')),
      resolution_note text,
      resolved_at timestamptz,
      resolved_by bigint references users (id) on delete set null,
      resolved_by_name text,
      unique (remittance_id, line),
      check ((resolved_at is null) = (resolution is null))
    )`.execute(db)
  await sql`create index remittance_lines_fingerprint on remittance_lines (fingerprint)`.execute(db)
  await sql`create index remittance_lines_claim on remittance_lines (claim_id)`.execute(db)
  await sql`create index remittance_lines_resolver on remittance_lines (resolved_by)`.execute(db)
  await sql`create index remittance_lines_differences on remittance_lines (company_id, id)
    include (outcome) where resolved_at is null and outcome <> 'matched'`.execute(db)
}

/** Money of a line: added, never changed. A wrong entry is reversed by one of the negative amount that names it. */
async function entries(db: Kysely<unknown>) {
  await sql`
    create table claim_entries (
      id bigint generated always as identity primary key,
      claim_id bigint not null references claims (id) on delete cascade,
      line_id bigint not null references claim_lines (id) on delete cascade,
      kind claim_entry_kind not null,
      amount numeric(14, 2) not null,
      booked_on date not null,
      reason text,
      remittance_line_id bigint references remittance_lines (id) on delete set null,
      corrects_id bigint unique references claim_entries (id) on delete cascade,
      user_id bigint references users (id) on delete set null,
      actor_name text not null,
      created_at timestamptz not null default now(),
      check (case when corrects_id is null then amount > 0 else amount < 0 and reason is not null end),
      check (kind not in ('debit', 'write_off') or reason is not null)
    )`.execute(db)
  await sql`create index claim_entries_claim on claim_entries (claim_id, id)`.execute(db)
  await sql`create index claim_entries_line on claim_entries (line_id)`.execute(db)
  await sql`create index claim_entries_remittance_line on claim_entries (remittance_line_id)`.execute(db)
  await sql`create index claim_entries_user on claim_entries (user_id)`.execute(db)
  await sql`
    create function check_entry() returns trigger language plpgsql as $$
    begin
      if not exists (select from claim_lines where id = new.line_id and claim_id = new.claim_id) then
        raise exception 'the line belongs to another claim' using errcode = 'check_violation';
      end if;
      if new.corrects_id is not null and not exists (
        select from claim_entries where id = new.corrects_id and line_id = new.line_id and kind = new.kind
          and amount = -new.amount and corrects_id is null) then
        raise exception 'a correction reverses one entry whole' using errcode = 'check_violation';
      end if;
      return new;
    end $$`.execute(db)
  await sql`create trigger check_entry before insert on claim_entries
    for each row execute function check_entry()`.execute(db)
  await sql`
    create function sum_entries() returns trigger language plpgsql as $$
    begin
      update claim_lines line set paid = line.paid + sums.paid, debited = line.debited + sums.debited,
        written_off = line.written_off + sums.written_off, carried = line.carried + sums.carried
      from (
        select line_id, coalesce(sum(amount) filter (where kind = 'payment'), 0) as paid,
          coalesce(sum(amount) filter (where kind = 'debit'), 0) as debited,
          coalesce(sum(amount) filter (where kind = 'write_off'), 0) as written_off,
          coalesce(sum(amount) filter (where kind = 'carry'), 0) as carried
        from new_rows group by line_id) sums
      where line.id = sums.line_id;
      return null;
    end $$`.execute(db)
  await sql`create trigger sum_entries after insert on claim_entries referencing new table as new_rows
    for each statement execute function sum_entries()`.execute(db)
}
