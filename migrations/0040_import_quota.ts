import { type Kysely, sql } from 'kysely'

/** Files of imports count as other uploads do, and what the screen asks for again and again is a narrow row. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table order_imports
      add column sample jsonb not null default '[]',
      add column size bigint not null default 0,
      add column received_at timestamptz not null default now()`.execute(db)
  await sql`comment on column order_imports.sample is 'the first cells of the columns, shortened'`.execute(db)
  await sql`comment on column order_imports.size is 'bytes of the file as it was sent'`.execute(db)
  await sql`
    update order_imports set
      received_at = updated_at,
      sample = coalesce((
        select jsonb_agg((select coalesce(jsonb_agg(left(cell, 100)), '[]')
          from jsonb_array_elements_text(line -> 'cells') cell))
        from jsonb_path_query(rows, '$[1 to 3]') line), '[]'),
      headings = coalesce((
        select array_agg(left(heading, 200) order by n) from unnest(headings) with ordinality h (heading, n)), '{}')`.execute(
    db,
  )
  await sql`
    create index order_imports_sender on order_imports (user_id, received_at) include (size)`.execute(db)
  await sql`
    create index order_imports_kept on order_imports (company_id)
      where rows is not null or content is not null`.execute(db)

  // The bytes of an import belong to no order.
  await sql`
    alter table uploads
      alter column order_id drop not null,
      add column company_id bigint references companies on delete cascade,
      add check (order_id is not null or (is_form and company_id is not null))`.execute(db)
}
