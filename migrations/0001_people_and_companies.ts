import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`create extension if not exists unaccent`.execute(db)
  await sql`create extension if not exists pg_trgm`.execute(db)
  // unaccent() is only STABLE because its dictionary may change; ours does not, and a generated column
  // and an index need IMMUTABLE.
  await sql`
    create function fold(text) returns text language sql immutable strict parallel safe
    return lower(unaccent('unaccent'::regdictionary, $1))`.execute(db)

  await sql`create type user_role as enum ('technician', 'manager', 'admin')`.execute(db)
  await sql`create type company_type as enum ('matriz', 'filial')`.execute(db)

  await sql`
    create table companies (
      id bigint generated always as identity primary key,
      trading_name text not null check (length(trading_name) between 1 and 255),
      legal_name text not null check (length(legal_name) between 1 and 255),
      tax_id text not null unique check (tax_id ~ '^[0-9A-Z]{12}[0-9]{2}$'),
      type company_type not null,
      parent_id bigint references companies (id) on delete restrict,
      address text, city text, state text check (state ~ '^[A-Z]{2}$'), zip_code text, phone text, email text,
      is_active boolean not null default true,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check ((type = 'filial') = (parent_id is not null)),
      check (parent_id <> id)
    )`.execute(db)
  await sql`create index companies_parent on companies (parent_id)`.execute(db)
  await sql`create index companies_by_name on companies (lower(trading_name), id)`.execute(db)

  await sql`
    create table users (
      id bigint generated always as identity primary key,
      email text not null check (length(email) between 3 and 255),
      cpf text check (cpf ~ '^[0-9]{11}$'),
      full_name text not null check (length(full_name) <= 255),
      role user_role not null default 'technician',
      company_id bigint references companies (id) on delete restrict,
      manager_id bigint references users (id) on delete set null,
      phone text, department text, position text,
      is_superuser boolean not null default false,
      is_active boolean not null default true,
      last_login_at timestamptz,
      password_hash text not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (manager_id <> id)
    )`.execute(db)
  await sql`create unique index users_login on users (lower(email))`.execute(db)
  await sql`create index users_company on users (company_id)`.execute(db)
  await sql`create index users_manager on users (manager_id)`.execute(db)

  // id is the SHA-256 of the bearer token: nobody can sign in with a copy of this table.
  await sql`
    create table sessions (
      id text primary key check (id ~ '^[0-9a-f]{64}$'),
      user_id bigint not null references users (id) on delete cascade,
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      ip text, user_agent text
    )`.execute(db)
  await sql`create index sessions_user on sessions (user_id)`.execute(db)
  await sql`create index sessions_expiry on sessions (expires_at)`.execute(db)
}
