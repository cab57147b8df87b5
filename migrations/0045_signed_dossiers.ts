import { type Kysely, sql } from 'kysely'

/** Fingerprints by which a dossier is found, and the signature that stays when retention has deleted its files. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table dossiers
      add column manifest_sha256 text check (manifest_sha256 ~ '^[0-9a-f]{64}$'),
      add column contents_sha256 text check (contents_sha256 ~ '^[0-9a-f]{64}$'),
      add column key_id text check (key_id ~ '^[0-9a-f]{32}$'),
      add column signature text check (signature ~ '^[0-9a-f]{128}$'),
      add check ((key_id is null) = (signature is null))`.execute(db)
  await sql`
    update dossiers set manifest_sha256 = encode(sha256(convert_to(manifest, 'UTF8')), 'hex')
    where manifest is not null`.execute(db)
  await sql`create index dossiers_manifest on dossiers (manifest_sha256)`.execute(db)
  await sql`create index dossiers_contents on dossiers (contents_sha256)`.execute(db)
}
