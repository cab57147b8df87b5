import { type Kysely, sql } from 'kysely'

/** Second factors, passkeys, a directory's accounts, and what a session was opened with. */
export async function up(db: Kysely<unknown>) {
  await sql`create type session_method as enum ('password', 'code', 'passkey', 'directory')`.execute(db)
  // confirmed_at: when the person last proved who they are in this session.
  await sql`
    alter table sessions
      add column method session_method not null default 'password',
      add column confirmed_at timestamptz not null default now()`.execute(db)
  await sql`update sessions set confirmed_at = created_at`.execute(db)

  // RFC 6238. The secret is sealed with a key that the database does not hold; last_step refuses a code twice.
  await sql`
    create table totp_secrets (
      user_id bigint primary key references users (id) on delete cascade,
      sealed_secret text not null,
      last_step bigint not null default 0,
      confirmed_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table recovery_codes (
      user_id bigint not null references users (id) on delete cascade,
      code_hash text not null check (code_hash ~ '^[0-9a-f]{64}$'),
      primary key (user_id, code_hash)
    )`.execute(db)

  await sql`
    create table passkeys (
      id bigint generated always as identity primary key,
      credential_id text not null unique check (length(credential_id) <= 1400),
      user_id bigint not null references users (id) on delete cascade,
      name text not null check (length(name) between 1 and 60),
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null default '{}',
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index passkeys_user on passkeys (user_id)`.execute(db)
  // A challenge is answered once, within minutes; user_id is null at sign-in.
  await sql`
    create table passkey_challenges (
      challenge text primary key,
      user_id bigint references users (id) on delete cascade,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index passkey_challenges_user on passkey_challenges (user_id)`.execute(db)

  // The link in the notice to a former address, with which its owner takes the account back.
  await sql`
    create table login_undos (
      token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
      user_id bigint not null references users (id) on delete cascade,
      former_login text not null,
      changed_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index login_undos_user on login_undos (user_id)`.execute(db)

  await sql`
    create table directory_accounts (
      issuer text not null,
      subject text not null,
      user_id bigint not null references users (id) on delete cascade,
      created_at timestamptz not null default now(),
      primary key (issuer, subject)
    )`.execute(db)
  await sql`create index directory_accounts_user on directory_accounts (user_id)`.execute(db)
  // One sign-in under way at the directory. Afterwards it holds the person whom the browser may become, once.
  await sql`
    create table directory_sign_ins (
      state_hash text primary key check (state_hash ~ '^[0-9a-f]{64}$'),
      code_verifier text not null,
      nonce text not null,
      user_id bigint references users (id) on delete cascade,
      redirect text,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index directory_sign_ins_user on directory_sign_ins (user_id)`.execute(db)
}
