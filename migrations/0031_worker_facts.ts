import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // What an operator asks about a running worker: where it runs, and how it reads files of strangers.
  await sql`
    alter table worker_processes
      add column host text,
      add column pid integer,
      add column isolation text check (isolation in ('isolated', 'limited', 'none'))`.execute(db)
}
