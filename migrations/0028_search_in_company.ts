import { type Kysely, sql } from 'kysely'

/**
 * A search in one company, or in a matriz with its filiais, reads its words and sort keys from an index of that
 * company and no order. The trigram index alone finds the orders of all companies with a common surname, a
 * hundred times as many, and each is a page of the table.
 */
export async function up(db: Kysely<unknown>) {
  await sql`drop index service_orders_by_company`.execute(db)
  await sql`
    create index service_orders_by_company on service_orders (company_id, opened_at desc, id desc)
    include (brand_id, status, conversion_status, os_number, customer_sort, total_value, search)
    where deleted_at is null`.execute(db)
  // An index is read without the table only where a vacuum has seen the rows; by default it waits for a fifth.
  await sql`alter table service_orders set (autovacuum_vacuum_insert_scale_factor = 0.02)`.execute(db)
}
