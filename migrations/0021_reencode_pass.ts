import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Whether quality was reduced for the budget, as reported by the converter; unknown for older conversions.
  // A
  // file gets at most one automatic re-encode pass.
  await sql`
    alter table evidence_files
      add column is_pressed boolean,
      add column has_second_round boolean not null default false`.execute(db)
}
