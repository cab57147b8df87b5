import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // A file has one row per company, so that sending it again finds what became of it. The content and the rows
  // read from it, which are customers' data, are removed after some days; the row stays.
  await sql`
    create table order_imports (
      id bigint generated always as identity primary key,
      company_id bigint not null references companies (id) on delete cascade,
      user_id bigint references users (id) on delete set null,
      actor_name text not null,
      filename text not null check (length(filename) between 1 and 255),
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      status text not null default 'reading' check (status in ('reading', 'read', 'running', 'done', 'failed')),
      error text,
      content bytea,
      headings text[] not null default '{}',
      rows jsonb,
      lines integer not null default 0,
      mapping jsonb,
      brand_id bigint references brands (id) on delete set null,
      mode text check (mode in ('valid', 'all')),
      progress integer not null default 0,
      created integer not null default 0,
      existing integer not null default 0,
      refused integer not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      finished_at timestamptz,
      unique (company_id, sha256)
    )`.execute(db)
  await sql`create index order_imports_content on order_imports (updated_at) where rows is not null or content is not null`.execute(
    db,
  )
}
