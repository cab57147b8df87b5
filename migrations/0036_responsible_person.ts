import { type Kysely, sql } from 'kysely'

/** Who deals with an order in the office, beside the technician who repairs the vehicle. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table service_orders
      add column responsible_user_id bigint references users (id) on delete set null`.execute(db)
  await sql`
    create index service_orders_by_responsible on service_orders (responsible_user_id, opened_at desc, id desc)
    include (company_id, brand_id, status, conversion_status, deleted_at)
    where responsible_user_id is not null`.execute(db)
  // The open orders of each person are counted from the index of the open orders.
  await sql`drop index service_orders_open`.execute(db)
  await sql`
    create index service_orders_open on service_orders (opened_at, id)
    include (company_id, brand_id, status, conversion_status, responsible_user_id)
    where deleted_at is null and status not in ('completed', 'cancelled')`.execute(db)
}
