import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Who read personal data, and what was refused. Beside the events: nothing here belongs to an order's chain, and
  // it is deleted by age. Without foreign keys, since it outlives orders and people.
  await sql`
    create table security_log (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      kind text not null check (kind ~ '^[a-z_.]{1,60}$'),
      user_id bigint,
      actor_name text,
      order_id bigint,
      times integer not null default 1 check (times > 0),
      details jsonb not null default '{}',
      ip text, user_agent text
    )`.execute(db)
  await sql`create index security_log_at on security_log (at)`.execute(db)
  await sql`create index security_log_kind on security_log (kind, id)`.execute(db)

  // Versions of the programs and libraries that a worker decodes with.
  await sql`alter table worker_processes add column tools jsonb`.execute(db)
}
