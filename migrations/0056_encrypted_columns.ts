import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Only dossiers are sealed.
  await sql`alter table totp_secrets rename column sealed_secret to encrypted_secret`.execute(db)
  await sql`alter table privacy_requests rename column sealed_subject to encrypted_subject`.execute(db)
  await sql`alter table privacy_requests rename column sealed_forms to encrypted_forms`.execute(db)
}
