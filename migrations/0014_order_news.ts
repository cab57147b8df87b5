import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // One notification per order and commit, however many rows changed: «12 evidence».
  await sql`
    create function tell_order_news() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'service_orders' then
        perform pg_notify('order_news', id || ' order') from (select distinct id from new_rows limit 1000) moved;
      else
        perform pg_notify('order_news', order_id || ' ' || tg_argv[0])
          from (select distinct order_id from new_rows limit 1000) moved;
      end if;
      return null;
    end $$`.execute(db)
  for (const [table, topic] of [
    ['evidence_files', 'evidence'],
    ['dossiers', 'dossier'],
    ['service_orders', 'order'],
  ] as const)
    for (const event of table === 'service_orders' ? (['update'] as const) : (['insert', 'update'] as const))
      await sql`
        create trigger ${sql.id(`tell_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
        referencing new table as new_rows for each statement
        execute function tell_order_news(${sql.lit(topic)})`.execute(db)
}
