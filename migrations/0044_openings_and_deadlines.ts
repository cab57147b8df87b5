import { type Kysely, sql } from 'kysely'

/** What must happen once although it is asked for twice: an opening, a notice of a deadline, a daily mail. */
export async function up(db: Kysely<unknown>) {
  // Kept for a day. The order is null only within the transaction that opens it.
  await sql`
    create table opening_keys (
      user_id bigint not null references users (id) on delete cascade,
      key uuid not null,
      input_hash text not null check (input_hash ~ '^[0-9a-f]{64}$'),
      order_id bigint references service_orders (id) on delete cascade,
      at timestamptz not null,
      primary key (user_id, key)
    )`.execute(db)
  await sql`create index opening_keys_order on opening_keys (order_id)`.execute(db)
  await sql`create index opening_keys_at on opening_keys (at)`.execute(db)
  await sql`
    create table deadline_notices (
      order_id bigint not null references service_orders (id) on delete cascade,
      kind text not null check (kind in ('deadline.near', 'deadline.overdue')),
      at timestamptz not null,
      primary key (order_id, kind)
    )`.execute(db)
  // The day of the last one, by the calendar of Brasília.
  await sql`alter table users add column digest_sent_on date`.execute(db)
}
