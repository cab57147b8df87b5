import { type Kysely, sql } from 'kysely'

/** Photos of the app's own camera. The server of the release before stores them as it does others. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table uploads
      add column capture_nonce text,
      add column nonce_issued_at timestamptz,
      add column app_captured_at timestamptz;
    alter table evidence_files
      add column capture_nonce text unique,
      add column nonce_issued_at timestamptz,
      add column app_captured_at timestamptz,
      add check ((capture_nonce is null) = (nonce_issued_at is null)),
      add check (app_captured_at is null or capture_nonce is not null)`.execute(db)
  await sql`comment on column evidence_files.capture_nonce is 'the code for one photo with which the app''s own camera sent it'`.execute(
    db,
  )
  await sql`comment on column evidence_files.app_captured_at is 'when it was taken by the clock of the device, between issue and arrival'`.execute(
    db,
  )
}
