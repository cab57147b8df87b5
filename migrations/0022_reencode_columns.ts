import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`alter table evidence_files rename column is_pressed to is_over_compressed`.execute(db)
  await sql`alter table evidence_files rename column has_second_round to is_reencode_pass`.execute(db)
}
