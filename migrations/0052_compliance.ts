import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // The register of processing activities (LGPD, art. 37): every version is kept.
  await sql`
    create table processing_registers (
      version integer primary key check (version > 0),
      content jsonb not null,
      user_id bigint references users (id) on delete set null,
      actor_name text not null,
      saved_at timestamptz not null
    )`.execute(db)
  await sql`
    create table privacy_incidents (
      id bigint generated always as identity primary key,
      version integer not null default 1,
      content jsonb not null,
      user_id bigint references users (id) on delete set null,
      actor_name text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  // One row, once somebody has changed the default.
  await sql`
    create table customer_retention (
      id boolean primary key default true check (id),
      months integer not null check (months between 6 and 600),
      user_id bigint references users (id) on delete set null,
      actor_name text not null,
      changed_at timestamptz not null
    )`.execute(db)
}
