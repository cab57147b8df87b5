import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table worker_processes
      drop constraint worker_processes_isolation_check,
      add constraint worker_processes_isolation_check
        check (isolation in ('isolated', 'container', 'limited', 'none'))`.execute(db)
}
