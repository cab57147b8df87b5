import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // A resumable upload. Once complete, the row stays until it expires, so that a client that lost the last
  // response learns that the file arrived.
  await sql`
    create table uploads (
      id uuid primary key,
      order_id bigint not null references service_orders (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      filename text not null check (octet_length(filename) between 1 and 180),
      size bigint not null check (size > 0),
      category evidence_category,
      description text check (length(description) <= 500),
      sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
      received bigint not null default 0,
      evidence_id bigint references evidence_files (id) on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      check (received between 0 and size),
      check (expires_at > created_at)
    )`.execute(db)
  await sql`create index uploads_order on uploads (order_id)`.execute(db)
  await sql`create index uploads_user on uploads (user_id)`.execute(db)
  await sql`create index uploads_evidence on uploads (evidence_id)`.execute(db)
  await sql`create index uploads_expiry on uploads (expires_at)`.execute(db)
}
