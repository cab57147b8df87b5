import { type Kysely, sql } from 'kysely'

/**
 * Distinct customers of any period without reading orders. They cannot be summed over days, but the days on
 * which a customer has orders form a sequence, and each period meets it in at most one stretch: customers of a
 * period are their days in it, less the returns (day after an earlier day) whose both days are in it.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table customer_days (
      scope_id bigint not null, customer text collate "C" not null, day date not null, orders bigint not null,
      primary key (scope_id, customer, day)
    ) with (fillfactor = 80)`.execute(db)
  await sql`
    create table customer_returns (
      scope_id bigint not null, day date not null, previous_day date not null, customers bigint not null,
      primary key (scope_id, day, previous_day)
    ) with (fillfactor = 80)`.execute(db)
  await sql`comment on table customer_returns is
    'how many customers have orders on this day and, before it, last had some on the other'`.execute(db)
  await sql`
    alter table order_openings
      add column customers bigint not null default 0,
      add column first_customers bigint not null default 0,
      add column last_customers bigint not null default 0`.execute(db)
  await sql`comment on column order_openings.first_customers is 'of its customers, those without an earlier day'`.execute(
    db,
  )
  await sql`comment on column order_openings.last_customers is 'of its customers, those without a later day'`.execute(
    db,
  )
  await fillIn(db)
  await sql`drop table order_customers, customer_counts`.execute(db)
  await foldWithDays(db)
  await moveWithDays(db)
  // It had the customer for counting those of a period.
  await sql`drop index service_orders_recent`.execute(db)
  await sql`
    create index service_orders_recent on service_orders (opened_at desc, id desc)
    include (company_id, brand_id, status, conversion_status) where deleted_at is null`.execute(db)
}

/** Nothing may be noted between the last folding by the former function and the count of what exists. */
async function fillIn(db: Kysely<unknown>) {
  await sql`lock table service_orders in share mode`.execute(db)
  await sql`select pg_advisory_xact_lock(7201007), fold_orders()`.execute(db)
  await sql`
    insert into customer_days
      select scope_id, customer_identity, (opened_at at time zone 'America/Sao_Paulo')::date, count(*)
      from service_orders join companies on companies.id = company_id
      cross join lateral unnest(array[0, -coalesce(parent_id, company_id), company_id]) scopes (scope_id)
      where deleted_at is null and customer_identity is not null
      group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  const visits = sql`
    select scope_id, day, lag(day) over days as previous_day, lead(day) over days is null as is_last
    from customer_days window days as (partition by scope_id, customer order by day)`
  await sql`
    insert into customer_returns
      select scope_id, day, previous_day, count(*) from (${visits}) visits
      where previous_day is not null group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  await sql`
    update order_openings o set customers = counted.customers, first_customers = counted.firsts,
      last_customers = counted.lasts
    from (
      select scope_id, day, count(*) as customers, count(*) filter (where previous_day is null) as firsts,
        count(*) filter (where is_last) as lasts
      from (${visits}) visits group by 1, 2) counted
    where counted.scope_id = o.scope_id and counted.day = o.day`.execute(db)
}

/** As in 0007, with the days of each customer. */
async function foldWithDays(db: Kysely<unknown>) {
  const visits = (side: 'was' | 'now', sign: number) => sql`
    select scope_id, day, lag(day) over days as previous_day, lead(day) over days is null as is_last,
      ${sql.lit(sign)} as sign
    from listed where ${sql.ref(`has_${side}`)} window days as (partition by scope_id, customer order by day)`
  await sql`
    create or replace function fold_orders() returns void language plpgsql as $$
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
      changed as materialized (
        select scope_id, customer, day, coalesce(known.orders, 0) as before,
          coalesce(known.orders, 0) + net.orders as after
        from (select scope_id, customer, day, sum(orders) as orders from scoped
          where customer is not null group by 1, 2, 3 having sum(orders) <> 0) net
        left join customer_days known using (scope_id, customer, day)),
      kept as (
        insert into customer_days select scope_id, customer, day, after from changed
          where after > 0 order by 1, 2, 3
        on conflict (scope_id, customer, day) do update set orders = excluded.orders),
      gone as (
        delete from customer_days c using changed
        where after <= 0 and c.scope_id = changed.scope_id and c.customer = changed.customer
          and c.day = changed.day),
      -- All days of the customers who get or lose one.
      listed as materialized (
        select scope_id, customer, day, true as has_was, coalesce(changed.after > 0, true) as has_now
        from (select distinct scope_id, customer from changed where (before > 0) <> (after > 0)) moved
        join customer_days using (scope_id, customer)
        left join changed using (scope_id, customer, day)
        union all
        select scope_id, customer, day, false, true from changed where before = 0 and after > 0),
      visits as materialized (${visits('was', -1)} union all ${visits('now', 1)}),
      returns as (
        insert into customer_returns as r
          select scope_id, day, previous_day, sum(sign) from visits where previous_day is not null
          group by 1, 2, 3 having sum(sign) <> 0 order by 1, 2, 3
        on conflict (scope_id, day, previous_day) do update set customers = r.customers + excluded.customers)
      insert into order_openings as o
        select scope_id, day, sum(orders), sum(customers), sum(firsts), sum(lasts) from (
          select scope_id, day, orders, 0 as customers, 0 as firsts, 0 as lasts
          from scoped where brand_id is not null
          union all
          select scope_id, day, 0, sign, case when previous_day is null then sign else 0 end,
            case when is_last then sign else 0 end from visits) changes
        group by 1, 2
        having sum(orders) <> 0 or sum(customers) <> 0 or sum(firsts) <> 0 or sum(lasts) <> 0 order by 1, 2
      on conflict (scope_id, day) do update set orders = o.orders + excluded.orders,
        customers = o.customers + excluded.customers,
        first_customers = o.first_customers + excluded.first_customers,
        last_customers = o.last_customers + excluded.last_customers;
    end $$`.execute(db)
}

/** As in 0007: a company that changes its matriz takes the days of its customers along. */
async function moveWithDays(db: Kysely<unknown>) {
  await sql`
    create or replace function move_orders() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7201007);
      insert into order_deltas (company_id, scope_id, brand_id, status, day, orders, cents, milliseconds)
        select new.id, tree, brand_id, status, day, sign * orders, sign * cents, sign * milliseconds
        from order_days cross join (values (-coalesce(old.parent_id, old.id), -1),
          (-coalesce(new.parent_id, new.id), 1)) moves (tree, sign)
        where scope_id = new.id;
      insert into order_deltas (company_id, scope_id, day, customer, orders)
        select new.id, tree, day, customer, sign * orders
        from customer_days cross join (values (-coalesce(old.parent_id, old.id), -1),
          (-coalesce(new.parent_id, new.id), 1)) moves (tree, sign)
        where scope_id = new.id;
      perform fold_orders();
      return null;
    end $$`.execute(db)
}
