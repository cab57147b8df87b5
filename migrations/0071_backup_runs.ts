import { type Kysely, sql } from 'kysely'

/** Each backup and each trial of one, written when it has ended: with its error, or with what it holds. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table backup_runs (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('backup', 'trial')),
      place text not null,
      started_at timestamptz not null,
      finished_at timestamptz not null,
      backup_id text,
      rows bigint,
      files bigint,
      bytes bigint,
      error text,
      check ((error is null) = (backup_id is not null))
    );
    create index backup_runs_newest on backup_runs (kind, finished_at desc)`.execute(db)
}
