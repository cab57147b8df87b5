import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // The token itself is shown once and not stored; its prefix lets the owner recognise it in a list.
  await sql`
    create table api_tokens (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id) on delete cascade,
      name text not null check (length(name) between 1 and 80),
      prefix text not null check (length(prefix) between 4 and 20),
      token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index api_tokens_user on api_tokens (user_id)`.execute(db)
}
