import { type Kysely, sql } from 'kysely'

/** One account of the directory per person, and what a sign-in there proved. */
export async function up(db: Kysely<unknown>) {
  await sql`
    delete from directory_accounts a using directory_accounts b
      where a.user_id = b.user_id
        and (a.created_at, a.issuer, a.subject) < (b.created_at, b.issuer, b.subject)`.execute(db)
  await sql`drop index directory_accounts_user`.execute(db)
  await sql`create unique index directory_accounts_user on directory_accounts (user_id)`.execute(db)
  // again: the directory was told to ask who is there. authenticated_at: when it last did, if it says so.
  await sql`
    alter table directory_sign_ins
      add column again boolean not null default false,
      add column authenticated_at timestamptz`.execute(db)
}
