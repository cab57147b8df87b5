import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // One row in a database of invented data, none in others. keeper_id is the user who existed before the data
  // and stays when they are removed; no foreign key, so that all other tables can be emptied around this row.
  await sql`
    create table demonstration (
      is_one boolean primary key default true check (is_one),
      keeper_id bigint not null,
      orders_planned integer not null check (orders_planned > 0),
      started_at timestamptz not null default now(),
      filled_at timestamptz
    )`.execute(db)
}
