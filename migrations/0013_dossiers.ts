import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`create type dossier_status as enum ('queued', 'building', 'sealed', 'failed')`.execute(db)
  await sql`create type dossier_part as enum ('zip', 'pdf', 'pptx')`.execute(db)
  // A sealed version is never changed. Its manifest stays when retention deletes its files.
  await sql`
    create table dossiers (
      id bigint generated always as identity primary key,
      order_id bigint not null references service_orders (id) on delete cascade,
      n integer not null check (n > 0),
      status dossier_status not null default 'queued',
      progress smallint not null default 0 check (progress between 0 and 100),
      error text,
      created_by bigint references users (id) on delete set null,
      actor_name text not null,
      created_at timestamptz not null default now(),
      sealed_at timestamptz,
      manifest text,
      chain_seq integer,
      chain_hash text check (chain_hash ~ '^[0-9a-f]{64}$'),
      purged_at timestamptz,
      unique (order_id, n),
      check ((status = 'sealed') = (sealed_at is not null)),
      check (status <> 'sealed' or manifest is not null),
      check (status <> 'failed' or error is not null)
    )`.execute(db)
  await sql`create index dossiers_under_way on dossiers (created_at) where status in ('queued', 'building')`.execute(
    db,
  )
  await sql`create index dossiers_creator on dossiers (created_by)`.execute(db)
  await sql`
    create table dossier_files (
      dossier_id bigint not null references dossiers (id) on delete cascade,
      part dossier_part not null,
      key text not null unique,
      size bigint not null check (size > 0),
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      primary key (dossier_id, part)
    )`.execute(db)
}
