import { type Kysely, sql } from 'kysely'

/** What a row of evidence_files keeps in the storage; its thumbnail is too small to count. */
const fileBytes = (row: string) => sql`case when ${sql.ref(`${row}.purged_at`)} is null
  then ${sql.ref(`${row}.file_size`)} + coalesce(${sql.ref(`${row}.converted_size`)}, 0) else 0 end`

export async function up(db: Kysely<unknown>) {
  await sql`alter table uploads add column is_form boolean not null default false`.execute(db)
  await sql`comment on column uploads.is_form is
    'the bytes of one multipart request, which cannot be continued; only counts until the request ends'`.execute(
    db,
  )
  await sql`create index uploads_open on uploads (user_id) where evidence_id is null`.execute(db)
  await sql`drop index evidence_uploader`.execute(db)
  await sql`create index evidence_uploader on evidence_files (uploaded_by, uploaded_at) include (file_size)`.execute(
    db,
  )
  await storedBytes(db)
  await recount(db)
}

/**
 * Bytes stored of each company, without reading its files. As with order_deltas, a statement only inserts its
 * changes, so that no two writers wait for the same sum or lock each other; readers add both tables.
 */
async function storedBytes(db: Kysely<unknown>) {
  await sql`
    create table storage_deltas (company_id bigint not null, bytes bigint not null)
    with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`.execute(db)
  await sql`
    create table storage_totals (company_id bigint primary key, bytes bigint not null)
    with (fillfactor = 70)`.execute(db)
  await sql`
    create function fold_storage() returns void language plpgsql as $$
    begin
      -- An older snapshot than the lock would miss what the last one folded.
      if current_setting('transaction_isolation') <> 'read committed'
        or not pg_try_advisory_xact_lock(7201008) then return; end if;
      with noted as (delete from storage_deltas returning *)
      insert into storage_totals as t select company_id, sum(bytes) from noted group by 1
      on conflict (company_id) do update set bytes = t.bytes + excluded.bytes;
    end $$`.execute(db)
  await sql`
    create function note_storage(order_id bigint, bytes bigint) returns void language plpgsql as $$
    begin
      if bytes = 0 then return; end if;
      insert into storage_deltas select o.company_id, note_storage.bytes from service_orders o
        where o.id = note_storage.order_id;
      if random() * 200 < 1 then perform fold_storage(); end if;
    end $$`.execute(db)
  for (const [when, sign] of [
    ['insert', 1],
    ['delete', -1],
  ] as const) {
    const name = sql.ref(`note_files_${when}`)
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        perform note_storage(order_id, ${sql.lit(sign)} * sum(${fileBytes('changed')})::bigint)
          from changed group by order_id;
        return null;
      end $$`.execute(db)
    await sql`
      create trigger ${name} after ${sql.raw(when)} on evidence_files
      referencing ${sql.raw(when === 'insert' ? 'new' : 'old')} table as changed
      for each statement execute function ${name}()`.execute(db)
  }
  await sql`
    create function note_file_change() returns trigger language plpgsql as $$
    begin
      perform note_storage(new.order_id, ${fileBytes('new')} - (${fileBytes('old')}));
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_file_change after update of file_size, converted_size, purged_at on evidence_files
    for each row when ((old.file_size, old.converted_size, old.purged_at)
      is distinct from (new.file_size, new.converted_size, new.purged_at))
    execute function note_file_change()`.execute(db)
  await dossiersAndOrders(db)
}

async function dossiersAndOrders(db: Kysely<unknown>) {
  await sql`
    create function note_dossier_file() returns trigger language plpgsql as $$
    begin
      perform note_storage(d.order_id, new.size) from dossiers d where d.id = new.dossier_id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_dossier_file after insert on dossier_files
    for each row execute function note_dossier_file()`.execute(db)
  await sql`
    create function note_dossier_purge() returns trigger language plpgsql as $$
    begin
      perform note_storage(new.order_id, -coalesce(sum(f.size), 0)::bigint)
        from dossier_files f where f.dossier_id = new.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_dossier_purge after update of purged_at on dossiers
    for each row when (old.purged_at is null and new.purged_at is not null)
    execute function note_dossier_purge()`.execute(db)
  await sql`
    create function stored_of_order(id bigint) returns bigint language sql stable as $$
      select coalesce((select sum(${fileBytes('e')}) from evidence_files e where e.order_id = $1), 0)::bigint
        + coalesce((select sum(f.size) from dossiers d join dossier_files f on f.dossier_id = d.id
          where d.order_id = $1 and d.purged_at is null), 0)::bigint
    $$`.execute(db)
  // Before the row goes: its dossiers go with it, and their files would find no order any more.
  await sql`
    create function note_order_removal() returns trigger language plpgsql as $$
    begin
      insert into storage_deltas
        select old.company_id, -bytes from stored_of_order(old.id) bytes where bytes <> 0;
      return old;
    end $$`.execute(db)
  await sql`
    create trigger note_order_removal before delete on service_orders
    for each row execute function note_order_removal()`.execute(db)
  await sql`
    create function note_order_move() returns trigger language plpgsql as $$
    begin
      insert into storage_deltas select company_id, sign * bytes from stored_of_order(new.id) bytes
        cross join (values (old.company_id, -1), (new.company_id, 1)) moves (company_id, sign)
        where bytes <> 0;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_order_move after update of company_id on service_orders
    for each row when (old.company_id <> new.company_id) execute function note_order_move()`.execute(db)
}

/**
 * Corrects the sums by what the rows say. One statement has one snapshot, in which every change and its delta
 * are both there or both not, so it may run at any time.
 */
async function recount(db: Kysely<unknown>) {
  await sql`
    create function recount_storage() returns bigint language sql as $$
      with counted as (
        select o.company_id, ${fileBytes('e')} as bytes
          from evidence_files e join service_orders o on o.id = e.order_id
        union all
        select o.company_id, f.size from dossier_files f join dossiers d on d.id = f.dossier_id
          join service_orders o on o.id = d.order_id where d.purged_at is null
        union all select company_id, -bytes from storage_totals
        union all select company_id, -bytes from storage_deltas),
      corrected as (
        insert into storage_deltas select company_id, sum(bytes)::bigint from counted
          group by company_id having sum(bytes) <> 0 returning bytes)
      select coalesce(sum(abs(bytes)), 0)::bigint from corrected
    $$`.execute(db)
  await sql`select recount_storage()`.execute(db)
  await sql`select fold_storage()`.execute(db)
}
