import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table service_orders
      add column legal_hold_at timestamptz,
      add column legal_hold_by bigint references users (id) on delete set null,
      add column legal_hold_reason text check (length(legal_hold_reason) between 1 and 500),
      add check ((legal_hold_at is null) = (legal_hold_reason is null))`.execute(db)
  await sql`create index service_orders_holder on service_orders (legal_hold_by)`.execute(db)
  await sql`create index service_orders_completed on service_orders (completed_at) where status = 'completed'`.execute(
    db,
  )
  await sql`create index service_orders_deleted on service_orders (deleted_at) where deleted_at is not null`.execute(
    db,
  )

  // Also covers deleted files, for queries over whole orders with their bin.
  await sql`create index evidence_by_order on evidence_files (order_id)`.execute(db)
  // The bytes were deleted; the row with its hashes stays.
  await sql`alter table evidence_files add column purged_at timestamptz`.execute(db)
  await sql`create index evidence_deleted on evidence_files (deleted_at) where deleted_at is not null`.execute(
    db,
  )

  // Since when the brand's retention period is in force. The invented values of a sample brand delete nothing
  // until they are confirmed.
  await sql`alter table brands add column retention_since timestamptz`.execute(db)
  await sql`update brands set retention_since = now() where storage_retention_months is not null and not is_sample`.execute(
    db,
  )
  await sql`
    create function note_retention() returns trigger language plpgsql as $$
    begin
      if new.storage_retention_months is null then
        new.retention_since := null;
      elsif tg_op = 'INSERT' then
        if not new.is_sample then new.retention_since := coalesce(new.retention_since, now()); end if;
      elsif new.storage_retention_months is distinct from old.storage_retention_months
        or (old.is_sample and not new.is_sample) then
        new.retention_since := now();
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger note_retention before insert or update of storage_retention_months, is_sample on brands
    for each row execute function note_retention()`.execute(db)
}
