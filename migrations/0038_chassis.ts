import { type Kysely, sql } from 'kysely'

/** The earlier orders of a chassis, newest first. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create index service_orders_chassis on service_orders (vehicle_chassis, opened_at desc, id desc)
    where vehicle_chassis is not null and deleted_at is null`.execute(db)
}
