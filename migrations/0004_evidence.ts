import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`create type evidence_type as enum ('image', 'video', 'document', 'pdf')`.execute(db)
  await sql`create type evidence_status as enum ('pending', 'converting', 'converted', 'failed')`.execute(db)
  await sql`
    create type evidence_category as enum (
      'defeito', 'tela_aparelho', 'teste', 'pecas', 'solucionado', 'pos_rodagem', 'chassi', 'placa', 'odometro',
      'inspecao', 'reparo', 'causa', 'chassi_no_vidro', 'diagonal_dt', 'detalhe_problema_nitido',
      'pos_solucionado', 'prints_telas')`.execute(db)

  await sql`
    create table evidence_files (
      id bigint generated always as identity primary key,
      order_id bigint not null references service_orders (id) on delete restrict,
      file_type evidence_type not null,
      format text not null,
      status evidence_status not null default 'pending',
      evidence_category evidence_category,
      description text check (length(description) <= 500),
      original_filename text not null check (octet_length(original_filename) between 1 and 180),
      original_key text not null unique,
      file_size bigint not null check (file_size > 0),
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      crc32 bigint not null check (crc32 between 0 and 4294967295),
      width integer check (width > 0), height integer check (height > 0),
      duration_seconds double precision check (duration_seconds >= 0),
      pages integer check (pages > 0),
      captured_at timestamptz,
      preview_key text,
      converted_filename text,
      converted_key text,
      converted_format text,
      converted_size bigint check (converted_size > 0),
      converted_sha256 text check (converted_sha256 ~ '^[0-9a-f]{64}$'),
      converted_crc32 bigint check (converted_crc32 between 0 and 4294967295),
      budget_bytes bigint check (budget_bytes >= 0),
      progress smallint not null default 0 check (progress between 0 and 100),
      attempt integer not null default 0,
      lease_until timestamptz,
      queued_at timestamptz, started_at timestamptz, finished_at timestamptz,
      error text,
      category_seq integer not null default 1 check (category_seq > 0),
      uploaded_by bigint references users (id) on delete set null,
      uploaded_at timestamptz not null default now(),
      deleted_at timestamptz,
      deleted_by bigint references users (id) on delete set null,
      check (status <> 'converted' or (converted_key is not null and converted_filename is not null
        and converted_size is not null and converted_sha256 is not null and converted_crc32 is not null)),
      check (status <> 'failed' or error is not null)
    ) with (fillfactor = 80)`.execute(db)
  // The same content can be in an order only once (D-22).
  await sql`create unique index evidence_once on evidence_files (order_id, sha256) where deleted_at is null`.execute(
    db,
  )
  await sql`
    create unique index evidence_package_name on evidence_files (order_id, lower(converted_filename))
    where deleted_at is null`.execute(db)
  await sql`create index evidence_of_order on evidence_files (order_id, id) where deleted_at is null`.execute(
    db,
  )
  await sql`create index evidence_converting on evidence_files (queued_at) where status = 'converting'`.execute(
    db,
  )
  await sql`create index evidence_same_bytes on evidence_files (sha256)`.execute(db)
  await sql`create index evidence_uploader on evidence_files (uploaded_by)`.execute(db)
  await sql`create index evidence_deleter on evidence_files (deleted_by)`.execute(db)
}
