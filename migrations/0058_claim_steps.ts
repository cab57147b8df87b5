import { type Kysely, sql } from 'kysely'

/** What the steps of a claim need beside its tables. */
export async function up(db: Kysely<unknown>) {
  // Which line of an appeal claims the carried amount instead: withdrawing the appeal reverses these entries.
  await sql`
    alter table claim_entries add column appeal_line_id bigint references claim_lines (id) on delete cascade,
      add check (appeal_line_id is null or kind = 'carry')`.execute(db)
  await sql`create index claim_entries_appeal_line on claim_entries (appeal_line_id)
    where appeal_line_id is not null`.execute(db)
  // Of a sending by mail, to say whether it went out.
  await sql`
    alter table claim_submissions add column mail_id bigint references mails (id) on delete set null`.execute(
    db,
  )
  await sql`create index claim_submissions_mail on claim_submissions (mail_id) where mail_id is not null`.execute(
    db,
  )
  // Open pages of the order follow its claims. Entries and lines change the sums of the claim.
  for (const event of ['insert', 'update'])
    await sql`
      create trigger ${sql.id(`tell_${event}`)} after ${sql.raw(event)} on claims
      referencing new table as new_rows for each statement execute function tell_order_news('claims')`.execute(
      db,
    )
}
