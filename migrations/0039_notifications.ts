import { type Kysely, sql } from 'kysely'

/** What people are told of: once per reader, gone with the order or the person. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table notifications (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      order_id bigint not null references service_orders on delete cascade,
      kind text not null,
      actor_name text not null,
      details jsonb not null default '{}',
      -- How often it happened since it was last read.
      times integer not null default 1,
      at timestamptz not null,
      read_at timestamptz
    )`.execute(db)
  await sql`create index notifications_of_user on notifications (user_id, at desc, id desc)`.execute(db)
  await sql`create index notifications_of_order on notifications (order_id)`.execute(db)
  await sql`create index notifications_at on notifications (at)`.execute(db)
  // Three hundred files that fail are one notification; the index also counts what a person has not read.
  await sql`
    create unique index notifications_unread on notifications (user_id, order_id, kind)
      where read_at is null`.execute(db)
  await sql`alter table users add column wants_digest boolean not null default false`.execute(db)
}
