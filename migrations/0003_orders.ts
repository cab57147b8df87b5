import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    create type order_status as enum
      ('created', 'pending_upload', 'in_progress', 'ready', 'pending', 'in_analysis', 'completed', 'cancelled')`.execute(
    db,
  )
  await sql`
    create type conversion_status as enum ('not_started', 'in_progress', 'completed', 'failed', 'available')`.execute(
    db,
  )

  // ABC1234 and ABC1C34 are the plates of one vehicle before and after its change to Mercosul; a search finds
  // both.
  await sql`
    create function other_plate(plate text) returns text language sql immutable parallel safe
    return case
      when plate ~ '^[A-Z]{3}[0-9]{4}$'
        then overlay(plate placing substr('ABCDEFGHIJ', substr(plate, 5, 1)::int + 1, 1) from 5 for 1)
      when plate ~ '^[A-Z]{3}[0-9][A-J][0-9]{2}$'
        then overlay(plate placing (strpos('ABCDEFGHIJ', substr(plate, 5, 1)) - 1)::text from 5 for 1)
    end`.execute(db)

  await sql`
    create table service_orders (
      id bigint generated always as identity primary key,
      os_number text not null check (os_number ~ '^[0-9]{6}$'),
      brand_id bigint not null references brands (id) on delete restrict,
      company_id bigint not null references companies (id) on delete restrict,
      status order_status not null default 'created',
      conversion_status conversion_status not null default 'not_started',
      opened_at timestamptz not null default now(),
      completed_at timestamptz,
      cancelled_at timestamptz,
      vehicle_model text, vehicle_year integer check (vehicle_year >= 1900), vehicle_color text,
      vehicle_plate text check (vehicle_plate ~ '^[A-Z]{3}[0-9][A-Z0-9][0-9]{2}$'),
      vehicle_chassis text check (vehicle_chassis ~ '^[A-Z0-9]{17}$'),
      vehicle_mileage integer check (vehicle_mileage between 0 and 2000000),
      vehicle_value numeric(14, 2) check (vehicle_value >= 0),
      customer_name text, customer_email text, customer_phone text,
      customer_document text check (customer_document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
      technician_name text,
      technician_user_id bigint references users (id) on delete set null,
      problem_description text, diagnosis text, solution_applied text, parts_replaced text,
      service_value numeric(14, 2) check (service_value >= 0),
      parts_value numeric(14, 2) check (parts_value >= 0),
      total_value numeric(14, 2) not null
        generated always as (coalesce(service_value, 0) + coalesce(parts_value, 0)) stored,
      search text not null generated always as (
        fold(' ' || os_number || ' ' || coalesce(customer_name, '') || ' ' || coalesce(customer_document, '')
          || ' ' || coalesce(vehicle_plate, '') || ' ' || coalesce(other_plate(vehicle_plate), '')
          || ' ' || coalesce(vehicle_chassis, '')
          || ' ' || regexp_replace(coalesce(customer_phone, ''), '[^0-9]', '', 'g'))) stored,
      evidence_version bigint not null default 0,
      created_by bigint references users (id) on delete set null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      deleted_by bigint references users (id) on delete set null,
      check ((status = 'completed') = (completed_at is not null)),
      check ((status = 'cancelled') = (cancelled_at is not null))
    ) with (fillfactor = 90)`.execute(db)

  await sql`
    create unique index service_orders_number on service_orders (company_id, os_number)
    where deleted_at is null`.execute(db)
  await sql`create index service_orders_recent on service_orders (opened_at desc, id desc) where deleted_at is null`.execute(
    db,
  )
  await sql`
    create index service_orders_by_company on service_orders (company_id, opened_at desc, id desc)
    where deleted_at is null`.execute(db)
  await sql`
    create index service_orders_by_brand on service_orders (brand_id, opened_at desc, id desc)
    where deleted_at is null`.execute(db)
  await sql`
    create index service_orders_by_status on service_orders (status, brand_id, opened_at desc, id desc)
    where deleted_at is null`.execute(db)
  await sql`create index service_orders_technician on service_orders (technician_user_id)`.execute(db)
  await sql`create index service_orders_creator on service_orders (created_by)`.execute(db)
  await sql`create index service_orders_deleter on service_orders (deleted_by)`.execute(db)
  await sql`
    create index service_orders_search on service_orders using gin (search gin_trgm_ops)
    with (fastupdate = off) where deleted_at is null`.execute(db)
  // With the default statistics the planner misestimates rare words and scans the table instead of the index.
  await sql`alter table service_orders alter column search set statistics 500`.execute(db)

  // Exact totals without counting, kept by statement triggers: one net change per key, in key order, because
  // subtracting first and adding later deadlocks under concurrent writers.
  await sql`
    create table order_counts (
      company_id bigint not null, brand_id bigint not null, status order_status not null,
      orders bigint not null,
      primary key (company_id, brand_id, status)
    ) with (fillfactor = 70)`.execute(db)
  await sql`
    create function count_orders() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into order_counts as c
          select company_id, brand_id, status, count(*) from new_rows
          where deleted_at is null group by 1, 2, 3 order by 1, 2, 3
        on conflict (company_id, brand_id, status) do update set orders = c.orders + excluded.orders;
      elsif tg_op = 'UPDATE' then
        insert into order_counts as c
          select company_id, brand_id, status, sum(delta) from (
            select company_id, brand_id, status, 1 as delta from new_rows where deleted_at is null
            union all
            select company_id, brand_id, status, -1 from old_rows where deleted_at is null) changes
          group by 1, 2, 3 having sum(delta) <> 0 order by 1, 2, 3
        on conflict (company_id, brand_id, status) do update set orders = c.orders + excluded.orders;
      else
        insert into order_counts as c
          select company_id, brand_id, status, -count(*) from old_rows
          where deleted_at is null group by 1, 2, 3 order by 1, 2, 3
        on conflict (company_id, brand_id, status) do update set orders = c.orders + excluded.orders;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger count_inserted after insert on service_orders
    referencing new table as new_rows for each statement execute function count_orders()`.execute(db)
  await sql`
    create trigger count_updated after update on service_orders
    referencing old table as old_rows new table as new_rows for each statement execute function count_orders()`.execute(
    db,
  )
  await sql`
    create trigger count_deleted after delete on service_orders
    referencing old table as old_rows for each statement execute function count_orders()`.execute(db)
}
