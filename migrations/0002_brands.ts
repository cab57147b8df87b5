import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`create type completion_policy as enum ('avisar', 'bloquear')`.execute(db)
  await sql`
    create table brands (
      id bigint generated always as identity primary key,
      slug text not null unique check (slug ~ '^[a-z0-9-]{1,60}$'),
      display_name text not null check (length(display_name) between 1 and 120),
      is_active boolean not null default true,
      max_file_size_mb integer not null check (max_file_size_mb between 1 and 100000),
      max_video_count integer not null check (max_video_count >= 0),
      max_evidence_count integer not null check (max_evidence_count >= 1),
      max_powerpoint_size_mb integer check (max_powerpoint_size_mb >= 1),
      accepted_video_formats text[] not null,
      accepted_image_formats text[] not null,
      naming_template text not null check (length(naming_template) <= 200),
      processing_time_seconds integer check (processing_time_seconds >= 0),
      storage_retention_months integer check (storage_retention_months >= 1),
      submission_system text,
      submission_url text,
      required_categories jsonb not null default '[]' check (jsonb_typeof(required_categories) = 'array'),
      max_video_seconds integer check (max_video_seconds >= 1),
      image_max_px integer check (image_max_px between 256 and 20000),
      keep_gps boolean not null default false,
      stamp boolean not null default false,
      auto_convert boolean not null default false,
      completion_policy completion_policy not null default 'avisar',
      is_sample boolean not null default false,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)

  // A company without any link serves every brand (D-32).
  await sql`
    create table brand_companies (
      brand_id bigint not null references brands (id) on delete cascade,
      company_id bigint not null references companies (id) on delete cascade,
      primary key (brand_id, company_id)
    )`.execute(db)
  await sql`create index brand_companies_company on brand_companies (company_id)`.execute(db)
}
