import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Rotation set by a user, in degrees clockwise from upright, and the camera's metadata. Of the GPS position
  // only whether there is one: the position itself stays in the original.
  await sql`
    alter table evidence_files
      add column rotation smallint not null default 0 check (rotation in (0, 90, 180, 270)),
      add column camera text check (length(camera) between 1 and 120),
      add column orientation smallint check (orientation between 1 and 8),
      add column has_location boolean,
      add column original_width integer check (original_width > 0),
      add column original_height integer check (original_height > 0)`.execute(db)
  // Until a file is converted, its dimensions are those of the original.
  await sql`
    update evidence_files set original_width = width, original_height = height
    where status <> 'converted'`.execute(db)
}
