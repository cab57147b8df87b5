import { type Kysely, sql } from 'kysely'

/**
 * Photos that were sent to be read before their order exists, and what was read in them; the picture goes as soon as it
 * was read, the row with the first sweep an hour after it came. Without a log, so that neither backups nor archives of
 * PostgreSQL keep them. The server of the release before knows none.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create unlogged table vehicle_photos (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      content bytea,
      found jsonb,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index vehicle_photos_user on vehicle_photos (user_id)`.execute(db)
}
