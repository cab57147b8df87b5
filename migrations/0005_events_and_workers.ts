import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // One audit trail for all changes: orders with their files, users, companies and brands.
  await sql`create type event_subject as enum ('order', 'user', 'company', 'brand')`.execute(db)
  await sql`
    create table events (
      id bigint generated always as identity primary key,
      subject event_subject not null,
      subject_id bigint not null,
      kind text not null check (kind ~ '^[a-z_.]{1,60}$'),
      actor_user_id bigint references users (id) on delete set null,
      actor_name text not null,
      changes jsonb not null default '{}',
      ip text, user_agent text,
      at timestamptz not null default clock_timestamp()
    )`.execute(db)
  await sql`create index events_of_subject on events (subject, subject_id, id)`.execute(db)
  await sql`create index events_actor on events (actor_user_id)`.execute(db)

  // A worker holds an advisory lock while it lives; a process that can take this lock knows that it died.
  await sql`
    create table worker_processes (
      worker_id text primary key,
      lock_key bigint not null,
      started_at timestamptz not null default now()
    )`.execute(db)
}
