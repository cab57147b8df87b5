import { type Kysely, sql } from 'kysely'

/** The object of a deleted company's logo has no row any more and is removed as an orphan. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table company_logos (
      company_id bigint primary key references companies (id) on delete cascade,
      key text not null unique,
      format text not null check (format in ('jpeg', 'png', 'webp')),
      size bigint not null check (size > 0),
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      created_at timestamptz not null
    )`.execute(db)
}
