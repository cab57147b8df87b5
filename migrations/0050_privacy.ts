import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // «Quem acessou» of an order, and the accesses of one.
  await sql`create index security_log_order on security_log (order_id, id) where order_id is not null`.execute(
    db,
  )

  // Requests of the people whose data the orders have. What is searched for is encrypted, by a key that is not in the
  // database, and gone when the work is done; orders are listed once, so that a killed worker goes on where it was.
  await sql`
    create table privacy_requests (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('export', 'anonymise')),
      status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
      searched_by text not null check (searched_by in ('document', 'email', 'phone')),
      pseudonym text not null,
      sealed_subject text,
      sealed_forms text,
      orders bigint[] not null,
      done_orders bigint[] not null default '{}',
      reason text check (length(reason) between 1 and 500),
      error text,
      user_id bigint references users (id) on delete set null,
      actor_name text not null,
      created_at timestamptz not null,
      finished_at timestamptz,
      key text unique,
      size bigint check (size > 0),
      sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
      expires_at timestamptz,
      check (status <> 'failed' or error is not null),
      check (status in ('queued', 'running') or sealed_subject is null and sealed_forms is null)
    )`.execute(db)
  await sql`alter table dossiers add column anonymised_at timestamptz`.execute(db)
}
