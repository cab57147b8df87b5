import { type Kysely, sql } from 'kysely'

/**
 * What people draw beside a photo, and the copy that was there before the first mark. The server of the release before
 * makes its copies without marks, and takes a kept copy for an object that no row names.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table evidence_files
      add column marks jsonb
        check (marks is null or (jsonb_typeof(marks) = 'array' and marks <> '[]' and file_type = 'image')),
      add column is_copy_outdated boolean not null default false;
    create table unmarked_copies (
      evidence_id bigint primary key references evidence_files on delete cascade,
      key text not null unique,
      format text not null,
      size bigint not null check (size > 0),
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      crc32 bigint not null check (crc32 between 0 and 4294967295),
      width integer check (width > 0),
      height integer check (height > 0),
      is_over_compressed boolean not null,
      rotation smallint not null,
      has_location boolean not null
    )`.execute(db)
  await sql`comment on column evidence_files.marks is 'what a person has drawn onto the copy, as shared/evidence/marks'`.execute(
    db,
  )
  await sql`comment on column evidence_files.is_copy_outdated is 'the photo was turned or marked after its copy was made'`.execute(
    db,
  )
  await sql`comment on table unmarked_copies is 'the copy of a photo from before its marks, which removing them brings back'`.execute(
    db,
  )
  // As of migration 0051, with the texts among the marks.
  await sql`
    create or replace function redact_order_texts(order_number bigint, mentions jsonb) returns void language plpgsql
    security definer set search_path = pg_catalog, public, pg_temp as $$
    declare
      texts constant text[] := array['problem_description', 'diagnosis', 'solution_applied', 'parts_replaced',
        'description', 'filename', 'legal_hold_reason', 'reason', 'marks'];
      newest record;
    begin
      select kind, at into newest from events
        where subject = 'order' and subject_id = order_number order by seq desc limit 1;
      if newest.kind is distinct from 'anonymised' then
        raise exception 'The newest event of order % does not remove its customer', order_number
          using errcode = 'insufficient_privilege';
      end if;
      perform redact_event_texts(e.id, array(
          select name from jsonb_array_elements_text(m.value) name where name = any (texts)), newest.at)
        from jsonb_each(mentions) m
        join events e on e.subject = 'order' and e.subject_id = order_number and e.seq = m.key::int;
    end $$`.execute(db)
}
