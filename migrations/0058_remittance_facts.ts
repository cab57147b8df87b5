import { type Kysely, sql } from 'kysely'

/** What an import of a remittance shows, and what else tells its lines apart; its file counts as other uploads do. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table remittances
      add column sample jsonb not null default '[]',
      add column refused integer not null default 0,
      add column size bigint not null default 0,
      add column received_at timestamptz`.execute(db)
  await sql`create index remittances_sender on remittances (user_id, received_at) include (size)`.execute(db)
  await sql`drop index remittances_user`.execute(db)
  await sql`create index remittances_kept on remittances (company_id)
    where rows is not null or content is not null`.execute(db)
  await sql`create index remittances_headings on remittances (brand_id, updated_at)
    where mapping is not null and filename is not null`.execute(db)
  await sql`
    alter table remittance_lines
      add column document text check (length(document) between 1 and 60)`.execute(db)
}
