import { type Kysely, sql } from 'kysely'

/**
 * What happened in a month is read from indexes alone: what was opened, completed and ready in it, and which conversions
 * failed in it.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table service_orders add column package_ready_at timestamptz`.execute(db)
  await sql`comment on column service_orders.package_ready_at is
    'since when the package can be downloaded; null while it cannot'`.execute(db)
  // Nothing that the triggers of an order's changes note is changed.
  await sql`alter table service_orders disable trigger user`.execute(db)
  await sql`
    update service_orders set package_ready_at = coalesce(
      (select max(finished_at) from evidence_files where order_id = service_orders.id and deleted_at is null),
      completed_at, opened_at)
    where conversion_status = 'available'`.execute(db)
  await sql`alter table service_orders enable trigger user`.execute(db)

  const parts = sql`company_id, brand_id, responsible_user_id`
  // The page of the list reads it; the report reads the person of what was opened from it too.
  await sql`drop index service_orders_recent`.execute(db)
  await sql`
    create index service_orders_recent on service_orders (opened_at desc, id desc)
    include (company_id, brand_id, status, conversion_status, responsible_user_id)
    where deleted_at is null`.execute(db)
  await sql`drop index service_orders_completed`.execute(db)
  await sql`
    create index service_orders_completed on service_orders (completed_at) include (${parts}, deleted_at)
    where status = 'completed'`.execute(db)
  await sql`
    create index service_orders_package_ready on service_orders (package_ready_at) include (${parts})
    where deleted_at is null and package_ready_at is not null`.execute(db)
  await sql`
    create index evidence_failed on evidence_files (finished_at) include (order_id)
    where deleted_at is null and status = 'failed'`.execute(db)
}
