import { type Kysely, sql } from 'kysely'

const EVENTS = sql`('sent', 'answered', 'credit_note', 'paid')`

/** CNPJs with letters in the keys of invoices, and from which event a brand counts the days of parts and appeals. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table part_returns
      drop constraint part_returns_invoice_key_check,
      add constraint part_returns_invoice_key_check
        check (invoice_key ~ '^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$')`.execute(db)
  await sql`
    alter table brands
      add column claim_appeal_from text not null default 'answered' check (claim_appeal_from in ${EVENTS}),
      add column claim_part_from text not null default 'sent' check (claim_part_from in ${EVENTS})`.execute(
    db,
  )
  // due_awaits: the event from which the days of an appeal will run, while it has not happened.
  await sql`
    alter table claims
      add column credit_note_on date,
      add column due_awaits text check (due_awaits in ${EVENTS})`.execute(db)
}
