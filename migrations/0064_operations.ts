import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // A worker that is frozen keeps its lock, and says nothing more. Null: of a version that does not say.
  await sql`alter table worker_processes add column instance text, add column beat_at timestamptz`.execute(db)
  await sql`
    create table schema_compatibility (
      single boolean primary key default true check (single),
      needs text not null
    );
    comment on table schema_compatibility is 'the migration that a server must know at least to run on this database';
    insert into schema_compatibility (needs) values ('0064_operations');
    create table work_alarms (
      kind text primary key,
      since timestamptz not null,
      told_at timestamptz
    );
    create table queue_pause (
      single boolean primary key default true check (single),
      paused_at timestamptz not null default now()
    )`.execute(db)
}
