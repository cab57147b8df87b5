import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Sharpness and 64-bit perceptual hash of a picture. Two hashes that differ in at most 6 bits differ in at
  // most one bit of one of their four 16-bit bands, so the bands find near copies without reading every row;
  // each band has its own range of numbers.
  await sql`
    alter table evidence_files
      add column sharpness real check (sharpness >= 0),
      add column perceptual_hash bit(64),
      add column hash_bands integer[] generated always as (
        case when perceptual_hash is not null then array[
          substring(perceptual_hash from 1 for 16)::bit(16)::integer,
          substring(perceptual_hash from 17 for 16)::bit(16)::integer + 65536,
          substring(perceptual_hash from 33 for 16)::bit(16)::integer + 131072,
          substring(perceptual_hash from 49 for 16)::bit(16)::integer + 196608] end) stored`.execute(db)
  await sql`
    create index evidence_like_picture on evidence_files using gin (hash_bands) with (fastupdate = off)
    where hash_bands is not null and deleted_at is null`.execute(db)
}
