import type { Db } from '@garantia/server/kernel'
import { sql } from 'kysely'

/** Whether somebody waits for a row that another transaction has locked. */
export async function waitsForLock(db: Db) {
  const { rows } = await sql`
    select from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.datname = current_database()`.execute(db)
  return rows.length > 0
}
