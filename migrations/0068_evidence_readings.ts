import { type Kysely, sql } from 'kysely'

/**
 * What was read in a photo by machine: the texts with their scores and places, and those that may be looked for in
 * other orders, as «plate:ABC1D23». The server of the release before leaves both empty.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table evidence_files add column reading jsonb, add column reading_texts text[]`.execute(db)
  await sql`
    create index evidence_reading_texts on evidence_files using gin (reading_texts) with (fastupdate = off)
    where reading_texts is not null and deleted_at is null`.execute(db)
}
