import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Off until a superuser has looked at what would be anonymised.
  await sql`alter table customer_retention add column is_applied boolean not null default false`.execute(db)
  // Requests of the nightly run: what is outside of the orders stays while the customer has other orders.
  await sql`alter table privacy_requests add column is_retention boolean not null default false`.execute(db)
}
