import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // The audit page reads users, companies and brands, newest first; orders, most of the events, are left out.
  await sql`create index events_audit on events (subject, id) where subject <> 'order'`.execute(db)
}
