import { type Kysely, sql } from 'kysely'

/**
 * Addresses by which somebody without an account sends photos of one order. The server of the release before knows
 * none: what arrives is without a link there.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table guest_links (
      id bigint generated always as identity primary key,
      order_id bigint not null references service_orders on delete cascade,
      created_by bigint not null references users on delete cascade,
      label text not null,
      token_hash text not null unique,
      categories text[] not null check (categories <> '{}'),
      shows text[] not null,
      max_files int not null check (max_files > 0),
      max_bytes bigint not null check (max_bytes > 0),
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz,
      last_used_at timestamptz
    );
    create index guest_links_order on guest_links (order_id, id);
    create index guest_links_person on guest_links (created_by);
    alter table uploads add column guest_link_id bigint references guest_links on delete cascade;
    create index uploads_guest_link on uploads (guest_link_id) where guest_link_id is not null;
    alter table evidence_files add column guest_link_id bigint references guest_links on delete set null;
    create index evidence_guest_link on evidence_files (guest_link_id) where guest_link_id is not null`.execute(
    db,
  )
  await sql`comment on table guest_links is 'addresses by which people without an account send photos of one order'`.execute(
    db,
  )
  await sql`comment on column guest_links.shows is 'what of the order its page names, as «vehicle_plate»'`.execute(
    db,
  )
}
