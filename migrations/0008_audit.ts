import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // The audit of people, companies and brands reads newest first; orders, most of the trail, stay out of its index.
  await sql`create index events_audit on events (subject, id) where subject <> 'order'`.execute(db)
}
