import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // The token itself is sent by mail and not stored; it can be used once, within two hours.
  await sql`
    create table password_resets (
      token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
      user_id bigint not null references users (id) on delete cascade,
      expires_at timestamptz not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index password_resets_user on password_resets (user_id)`.execute(db)

  // Mails queued for the worker; without a mail server they stay here, where a superuser can read them.
  await sql`
    create table mails (
      id bigint generated always as identity primary key,
      recipient text not null, subject text not null, html text not null, body text not null,
      created_at timestamptz not null default now(),
      sent_at timestamptz,
      error text
    )`.execute(db)

  // Rate limits are counted in the database, so that all servers share them and they survive a restart.
  await sql`
    create table attempts (
      bucket text primary key check (length(bucket) <= 200),
      hits integer not null,
      first_at timestamptz not null,
      blocked_until timestamptz
    )`.execute(db)
  await sql`create index attempts_age on attempts (first_at)`.execute(db)

  for (const table of ['companies', 'users'] as const) {
    const words =
      table === 'companies'
        ? sql`' ' || trading_name || ' ' || legal_name || ' ' || tax_id`
        : sql`' ' || full_name || ' ' || email || ' ' || coalesce(cpf, '')`
    await sql`alter table ${sql.table(table)} add column search text not null generated always as (fold(${words})) stored`.execute(
      db,
    )
    await sql`create index ${sql.id(`${table}_search`)} on ${sql.table(table)} using gin (search gin_trgm_ops)`.execute(
      db,
    )
  }
}
