import { type Kysely, sql } from 'kysely'

/** What a mail brings along, and which sending by mail has failed for good; a release before this one ignores both. */
export async function up(db: Kysely<unknown>) {
  // A stored object: its key, and the name and type that it has in the mail.
  await sql`alter table mails add column attachment jsonb`.execute(db)
  // When the last attempt to send its mail failed; null again once it is sent anew.
  await sql`alter table claim_submissions add column mail_failed_at timestamptz`.execute(db)
  await sql`create index claim_submissions_failed on claim_submissions (claim_id) where mail_failed_at is not null`.execute(
    db,
  )
}
