import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // The packages of several orders in one file, for the person who asked; row and file go when they expire. The
  // key is noted before the file is stored, so that one left by a killed worker is known.
  await sql`
    create table package_archives (
      id bigint generated always as identity primary key,
      user_id bigint references users (id) on delete set null,
      status text not null default 'queued' check (status in ('queued', 'building', 'ready', 'failed')),
      progress smallint not null default 0 check (progress between 0 and 100),
      error text,
      -- The orders, each with the name of its folder; and those left out, each with the reason.
      orders jsonb not null check (jsonb_array_length(orders) > 0),
      left_out jsonb not null default '[]',
      bytes bigint not null check (bytes > 0),
      key text unique,
      size bigint check (size > 0),
      sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      check (status <> 'ready' or (key is not null and size is not null and sha256 is not null)),
      check (status <> 'failed' or error is not null)
    )`.execute(db)
  await sql`create index package_archives_of_user on package_archives (user_id)`.execute(db)
  await sql`create index package_archives_expiry on package_archives (expires_at)`.execute(db)
  // Told to the pages of its first order, of which the page that waits for it is one.
  await sql`
    create function tell_package_archive() returns trigger language plpgsql as $$
    begin
      perform pg_notify('order_news', (new.orders -> 0 ->> 'id') || ' packages');
      return null;
    end $$`.execute(db)
  await sql`
    create trigger tell_package_archive after update on package_archives
    for each row execute function tell_package_archive()`.execute(db)
}
