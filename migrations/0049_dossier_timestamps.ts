import { type Kysely, sql } from 'kysely'

/** The time-stamp of a sealed dossier: asked for with the seal where an authority is configured, and stored when it comes. */
export async function up(db: Kysely<unknown>) {
  await sql`alter type dossier_part add value 'tsr'`.execute(db)
  await sql`
    create table dossier_timestamps (
      dossier_id bigint primary key references dossiers (id) on delete cascade,
      requested_at timestamptz not null default now(),
      tries integer not null default 0,
      error text,
      stamped_at timestamptz,
      authority text,
      -- The whole answer (RFC 3161). It stays when retention deletes the files, as manifest and signature do.
      answer bytea,
      check ((answer is null) = (stamped_at is null)),
      check ((answer is null) = (authority is null))
    )`.execute(db)
  await sql`create index dossier_timestamps_pending on dossier_timestamps (requested_at) where answer is null`.execute(
    db,
  )
}
