import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Whether a copy is worse than it would be if nothing were scarce, as its converter said; unknown for what
  // was converted before. A file is converted a second time, unasked, at most once.
  await sql`
    alter table evidence_files
      add column is_pressed boolean,
      add column has_second_round boolean not null default false`.execute(db)
}
