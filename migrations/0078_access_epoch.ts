import { type Kysely, sql } from 'kysely'

/**
 * How often all access of a person was ended. Signed addresses name it, so that they end too; 0 is not named, so the
 * server of the release before reads them until a person's access is ended.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table users add column access_epoch int not null default 0`.execute(db)
  await sql`comment on column users.access_epoch is 'how often all access was ended; signed addresses name it'`.execute(
    db,
  )
}
