import { type Kysely, sql } from 'kysely'

/** Each comparison of all files with the database, and of the whole trail, written when it has ended. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table verifications (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('storage', 'trail')),
      finished_at timestamptz not null,
      checked bigint not null,
      faults int not null,
      first_fault text,
      check ((faults = 0) = (first_fault is null))
    );
    create index verifications_newest on verifications (kind, finished_at desc)`.execute(db)
  await sql`comment on table verifications is 'how the last comparisons of files and trail ended'`.execute(db)
  await sql`comment on column verifications.checked is 'objects of the storage, or events of the trail'`.execute(
    db,
  )
}
