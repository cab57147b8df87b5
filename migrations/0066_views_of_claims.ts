import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // The unique name of a person stays one over all lists: the release before saves by it.
  await sql`
    alter table order_views add column list text not null default 'orders' check (list in ('orders', 'claims'))`.execute(
    db,
  )
}
