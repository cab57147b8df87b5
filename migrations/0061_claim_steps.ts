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
  // A search drops the punctuation of a word with digits, so that the number must be found without it too.
  await sql`
    create or replace function copy_order_to_claim() returns trigger language plpgsql as $$
    begin
      select company_id, brand_id, deleted_at, search ||
          fold(' ' || coalesce(new.brand_number || ' ' || translate(new.brand_number, '.-/()', ''), ''))
        into new.company_id, new.brand_id, new.deleted_at, new.search
        from service_orders where id = new.order_id;
      return new;
    end $$`.execute(db)
  await sql`update claims set search = '' where brand_number is not null`.execute(db)
  await textsOfClaims(db)
}

/**
 * Texts of a claim that name an anonymised customer are replaced, also in what is never changed otherwise: entries, and
 * lines that were sent. Only while the newest event of the order says that its customer was removed.
 */
async function textsOfClaims(db: Kysely<unknown>) {
  await sql`
    create or replace function keep_sent_lines() returns trigger language plpgsql as $$
    begin
      if current_setting('garantia.anonymises_claims', true) is distinct from 'on'
        and exists (select from claims where id = new.claim_id and state <> 'draft') then
        raise exception 'the lines of a claim that was sent do not change' using errcode = 'check_violation';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create function anonymise_claim_texts(order_number bigint, entries jsonb, lines jsonb) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
    declare newest record;
    begin
      select kind, at into newest from events
        where subject = 'order' and subject_id = order_number order by seq desc limit 1;
      if newest.kind is distinct from 'anonymised' then
        raise exception 'The newest event of order % does not remove its customer', order_number
          using errcode = 'insufficient_privilege';
      end if;
      update claim_entries entry set reason = text.reason
        from jsonb_to_recordset(entries) as text (id bigint, reason text), claims
        where entry.id = text.id and claims.id = entry.claim_id and claims.order_id = order_number;
      perform set_config('garantia.anonymises_claims', 'on', true);
      update claim_lines line set description = left(text.description, 255),
          supplier = left(text.supplier, 255), document = left(text.document, 60)
        from jsonb_to_recordset(lines) as text (id bigint, description text, supplier text, document text), claims
        where line.id = text.id and claims.id = line.claim_id and claims.order_id = order_number;
      perform set_config('garantia.anonymises_claims', 'off', true);
    end $$`.execute(db)
}
