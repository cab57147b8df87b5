import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table service_orders
      add column customer_sort text collate "C" generated always as (fold(customer_name)) stored,
      add column customer_identity text collate "C" generated always as (
        coalesce(customer_document, nullif(
          btrim(regexp_replace(fold(coalesce(customer_name, '')), '\\s+', ' ', 'g')) || '|'
          || regexp_replace(coalesce(customer_phone, ''), '[^0-9]', '', 'g'), '|'))) stored`.execute(db)
  await indexes(db)
  await sums(db)
  await companiesThatMove(db)
  await fillIn(db)
  await savedViews(db)
}

/**
 * Every sort order of the list has an index that includes all filter columns: a deep page skips index
 * entries, not rows.
 */
async function indexes(db: Kysely<unknown>) {
  const filters = sql`brand_id, status, conversion_status`
  const live = sql`where deleted_at is null`
  for (const name of ['number', 'recent', 'by_company'])
    await sql`drop index ${sql.ref(`service_orders_${name}`)}`.execute(db)
  await sql`create unique index service_orders_number on service_orders (company_id, os_number)
    include (id, ${filters}) ${live}`.execute(db)
  await sql`create index service_orders_recent on service_orders (opened_at desc, id desc)
    include (company_id, ${filters}, customer_identity) ${live}`.execute(db)
  await sql`create index service_orders_by_company on service_orders (company_id, opened_at desc, id desc)
    include (${filters}, customer_identity) ${live}`.execute(db)
  await sql`create index service_orders_by_number on service_orders (os_number, id)
    include (company_id, ${filters}) ${live}`.execute(db)
  for (const key of ['customer_sort', 'total_value']) {
    const [column, name] = [sql.ref(key), `service_orders_by_${key}`]
    await sql`create index ${sql.ref(name)} on service_orders (${column}, id)
      include (company_id, ${filters}) ${live}`.execute(db)
    await sql`create index ${sql.ref(`${name}_in_company`)} on service_orders (company_id, ${column}, id)
      include (${filters}) ${live}`.execute(db)
  }
  // Few orders are open, and fewer have a conversion that needs attention: small partial indexes find them.
  await sql`create index service_orders_open on service_orders (opened_at, id)
    include (company_id, ${filters}) where deleted_at is null and status not in ('completed', 'cancelled')`.execute(
    db,
  )
  await sql`create index service_orders_by_conversion on service_orders (conversion_status, opened_at desc, id desc)
    include (company_id, brand_id, status)
    where deleted_at is null and conversion_status not in ('not_started', 'available')`.execute(db)
}

/**
 * Exact sums without reading orders. A statement only inserts its changes into order_deltas, so that no two
 * writers wait for the same sum; from time to time one of them folds the deltas into the sums. A reader adds
 * both. There is a sum for all companies (scope 0), for a company with its filiais (−id of the matriz) and
 * for a company alone (its id).
 */
async function sums(db: Kysely<unknown>) {
  for (const name of ['inserted', 'updated', 'deleted'])
    await sql`drop trigger ${sql.ref(`count_${name}`)} on service_orders`.execute(db)
  await sql`drop function count_orders()`.execute(db)
  await sql`drop table order_counts`.execute(db)

  await sql`
    create table order_deltas (
      company_id bigint not null,
      scope_id bigint,
      brand_id bigint, status order_status, day date,
      customer text collate "C",
      orders bigint not null, cents bigint not null default 0, milliseconds bigint not null default 0
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`.execute(db)
  await sql`comment on column order_deltas.scope_id is 'null: counts in all three scopes of its company'`.execute(
    db,
  )
  await sql`
    create table order_totals (
      scope_id bigint not null, brand_id bigint not null, status order_status not null,
      orders bigint not null, cents bigint not null, milliseconds bigint not null,
      primary key (scope_id, brand_id, status)
    ) with (fillfactor = 70)`.execute(db)
  await sql`
    create table order_days (
      scope_id bigint not null, day date not null, brand_id bigint not null, status order_status not null,
      orders bigint not null, cents bigint not null, milliseconds bigint not null,
      primary key (scope_id, day, brand_id, status)
    ) with (fillfactor = 80)`.execute(db)
  await sql`
    create table order_openings (
      scope_id bigint not null, day date not null, orders bigint not null,
      primary key (scope_id, day)
    ) with (fillfactor = 70)`.execute(db)
  await sql`
    create table order_customers (
      scope_id bigint not null, customer text collate "C" not null, orders bigint not null,
      primary key (scope_id, customer)
    ) with (fillfactor = 80)`.execute(db)
  await sql`
    create table customer_counts (scope_id bigint primary key, customers bigint not null)
    with (fillfactor = 70)`.execute(db)
  await sql`
    create view order_counts as
      select company_id, brand_id, status, sum(orders)::bigint as orders from (
        select scope_id as company_id, brand_id, status, orders from order_totals where scope_id > 0
        union all
        select company_id, brand_id, status, orders from order_deltas where scope_id is null) noted
      group by company_id, brand_id, status`.execute(db)
  await fold(db)

  const changes = { inserted: ['new'], updated: ['new', 'old'], deleted: ['old'] }
  for (const [when, sides] of Object.entries(changes)) {
    const facts = sql.join(sides.map(factsOf), sql` union all `)
    await sql`
      create function ${sql.ref(`note_${when}`)}() returns trigger language plpgsql as $$
      declare noted bigint;
      begin
        insert into order_deltas (company_id, brand_id, status, day, customer, orders, cents, milliseconds)
          select company_id, brand_id, status, day, customer, sum(sign), sum(sign * cents), sum(sign * milliseconds)
          from (${facts}) facts
          group by company_id, brand_id, status, day, customer
          having sum(sign) <> 0 or sum(sign * cents) <> 0 or sum(sign * milliseconds) <> 0;
        get diagnostics noted = row_count;
        if random() * 200 < noted then perform fold_orders(); end if;
        return null;
      end $$`.execute(db)
    const verb = { inserted: 'insert', updated: 'update', deleted: 'delete' }[when] ?? ''
    const tables = sql.join(
      sides.map((side) => sql`${sql.raw(side)} table as ${sql.ref(`${side}_rows`)}`),
      sql` `,
    )
    await sql`
      create trigger ${sql.ref(`note_${when}`)} after ${sql.raw(verb)} on service_orders
      referencing ${tables} for each statement execute function ${sql.ref(`note_${when}`)}()`.execute(db)
  }
}

/** The summed values of a statement's orders, before (−1) or after (+1) the change. */
const factsOf = (side: string) => sql`
  select ${sql.lit(side === 'new' ? 1 : -1)} as sign, company_id, brand_id, status,
    (opened_at at time zone 'America/Sao_Paulo')::date as day, customer_identity as customer,
    case when status = 'completed' then (total_value * 100)::bigint else 0 end as cents,
    case when status = 'completed' then (extract(epoch from completed_at - opened_at) * 1000)::bigint
      else 0 end as milliseconds
  from ${sql.ref(`${side}_rows`)} where deleted_at is null`

/** Only one transaction folds at a time: it changes the sums under the lock, the others skip folding. */
async function fold(db: Kysely<unknown>) {
  await sql`
    create function fold_orders() returns void language plpgsql as $$
    begin
      -- An older snapshot than the lock would miss what the last one folded.
      if current_setting('transaction_isolation') <> 'read committed'
        or not pg_try_advisory_xact_lock(7201007) then return; end if;
      with noted as (delete from order_deltas returning *),
      scoped as materialized (
        select scopes.scope_id, brand_id, status, day, customer, orders, cents, milliseconds
        from noted left join companies on companies.id = noted.company_id
        cross join lateral unnest(case when noted.scope_id is null
          then array[0, -coalesce(companies.parent_id, noted.company_id), noted.company_id]
          else array[noted.scope_id] end) scopes (scope_id)),
      totals as (
        insert into order_totals as t
          select scope_id, brand_id, status, sum(orders), sum(cents), sum(milliseconds)
          from scoped where brand_id is not null group by 1, 2, 3
        on conflict (scope_id, brand_id, status) do update set orders = t.orders + excluded.orders,
          cents = t.cents + excluded.cents, milliseconds = t.milliseconds + excluded.milliseconds),
      days as (
        insert into order_days as d
          select scope_id, day, brand_id, status, sum(orders), sum(cents), sum(milliseconds)
          from scoped where brand_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (scope_id, day, brand_id, status) do update set orders = d.orders + excluded.orders,
          cents = d.cents + excluded.cents, milliseconds = d.milliseconds + excluded.milliseconds),
      openings as (
        insert into order_openings as o
          select scope_id, day, sum(orders) from scoped where brand_id is not null
          group by 1, 2 having sum(orders) <> 0 order by 1, 2
        on conflict (scope_id, day) do update set orders = o.orders + excluded.orders),
      changed as materialized (
        select scope_id, customer, coalesce(known.orders, 0) as before,
          coalesce(known.orders, 0) + net.orders as after
        from (select scope_id, customer, sum(orders) as orders from scoped
          where customer is not null group by 1, 2 having sum(orders) <> 0) net
        left join order_customers known using (scope_id, customer)),
      kept as (
        insert into order_customers select scope_id, customer, after from changed where after > 0 order by 1, 2
        on conflict (scope_id, customer) do update set orders = excluded.orders),
      gone as (
        delete from order_customers c using changed
        where after <= 0 and c.scope_id = changed.scope_id and c.customer = changed.customer)
      insert into customer_counts as c
        select scope_id, count(*) filter (where before = 0) - count(*) filter (where after = 0)
        from changed where before = 0 or after = 0 group by scope_id
      on conflict (scope_id) do update set customers = c.customers + excluded.customers;
    end $$`.execute(db)
}

/** When a company changes its matriz, its sums move from the old tree to the new one. */
async function companiesThatMove(db: Kysely<unknown>) {
  await sql`
    create function move_orders() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7201007);
      insert into order_deltas (company_id, scope_id, brand_id, status, day, orders, cents, milliseconds)
        select new.id, tree, brand_id, status, day, sign * orders, sign * cents, sign * milliseconds
        from order_days cross join (values (-coalesce(old.parent_id, old.id), -1),
          (-coalesce(new.parent_id, new.id), 1)) moves (tree, sign)
        where scope_id = new.id;
      insert into order_deltas (company_id, scope_id, customer, orders)
        select new.id, tree, customer, sign * orders
        from order_customers cross join (values (-coalesce(old.parent_id, old.id), -1),
          (-coalesce(new.parent_id, new.id), 1)) moves (tree, sign)
        where scope_id = new.id;
      perform fold_orders();
      return null;
    end $$`.execute(db)
  await sql`
    create trigger move_orders after update of parent_id on companies for each row
    when (old.parent_id is distinct from new.parent_id) execute function move_orders()`.execute(db)
}

/** Adds the existing orders to the sums. */
async function fillIn(db: Kysely<unknown>) {
  await sql`
    with new_rows as (select * from service_orders)
    insert into order_deltas (company_id, brand_id, status, day, customer, orders, cents, milliseconds)
      select company_id, brand_id, status, day, customer, sum(sign), sum(cents), sum(milliseconds)
      from (${factsOf('new')}) facts group by 1, 2, 3, 4, 5`.execute(db)
  await sql`select fold_orders()`.execute(db)
}

async function savedViews(db: Kysely<unknown>) {
  await sql`
    create table order_views (
      id bigint generated always as identity primary key,
      owner_id bigint not null references users (id) on delete cascade,
      name text not null check (length(name) between 1 and 60),
      is_shared boolean not null default false,
      criteria jsonb not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index order_views_name on order_views (owner_id, lower(name))`.execute(db)
}
