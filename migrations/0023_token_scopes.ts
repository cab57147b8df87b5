import { type Kysely, sql } from 'kysely'

/** Tokens made before had every right of their owner, from anywhere. */
export async function up(db: Kysely<unknown>) {
  await sql`create type token_scope as enum ('read', 'evidence', 'all')`.execute(db)
  await sql`
    alter table api_tokens
      add column scope token_scope not null default 'all',
      add column networks inet[] not null default '{}'`.execute(db)
}
