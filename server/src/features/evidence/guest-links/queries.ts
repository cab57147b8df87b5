import type { EvidenceFiles, GuestLinks } from '@garantia/migrations/schema'
import type { GuestLinkInput, GuestShown } from '@garantia/shared/evidence/guest-link'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { calledAs } from '../../../kernel/person.ts'

export type GuestLinkRow = Omit<Selectable<GuestLinks>, 'categories' | 'shows'> &
  Pick<GuestLinkInput, 'categories'> & { shows: GuestShown[] }

/** The link of an address by the SHA-256 of its token, whatever its state. */
export const findByHash = (ctx: Ctx, token_hash: string) =>
  ctx.db
    .selectFrom('guest_links')
    .where('token_hash', '=', token_hash)
    .selectAll()
    .$narrowType<Pick<GuestLinkRow, 'categories' | 'shows'>>()
    .executeTakeFirst()

/** A link of this id; no permission is checked. */
export const findLink = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('guest_links')
    .where('id', '=', id)
    .selectAll()
    .$narrowType<Pick<GuestLinkRow, 'categories' | 'shows'>>()
    .executeTakeFirst()

/** The links of an order, newest first, with who made them. */
export const linksOf = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('guest_links')
    .innerJoin('users', 'users.id', 'guest_links.created_by')
    .where('order_id', '=', order_id)
    .selectAll('guest_links')
    .select(calledAs('users').as('created_by_name'))
    .$narrowType<Pick<GuestLinkRow, 'categories' | 'shows'>>()
    .orderBy('guest_links.id', 'desc')
    .execute()

/**
 * Counts files and bytes per link, including uploads in progress but not deleted files. A file that the order already had
 * counts as uploaded while its upload row exists; otherwise the guest could tell that it was there.
 */
export async function usedOf(ctx: Ctx, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { files: number; bytes: number }>()
  const { rows } = await sql<{ id: number; files: number; bytes: number }>`
    select id, count(*)::int as files, sum(size)::bigint as bytes from (
      select guest_link_id as id, file_size as size from evidence_files
        where guest_link_id = any(${[...ids]}::bigint[]) and deleted_at is null
      union all
      select guest_link_id, size from uploads
        where guest_link_id = any(${[...ids]}::bigint[]) and evidence_id is null and expires_at > ${ctx.clock()}
      union all
      (select distinct on (uploads.guest_link_id, evidence_id) uploads.guest_link_id, size
        from uploads join evidence_files on evidence_files.id = evidence_id
        where uploads.guest_link_id = any(${[...ids]}::bigint[]) and deleted_at is null
          and evidence_files.guest_link_id is distinct from uploads.guest_link_id)) used
    group by id`.execute(ctx.db)
  return new Map(rows.map(({ id, ...used }) => [id, used]))
}

/**
 * What has arrived by a link and is not deleted, newest first, with the id of its upload (`sent_as`), which its folder is
 * named by. `is_own` is false for a file that the order had from somebody else: it is listed while its upload is kept.
 */
export async function filesBy(ctx: Ctx, guest_link_id: number) {
  const { rows } = await sql<GuestFile>`
    select id, split_part(original_key, '/', 3) as sent_as, true as is_own, evidence_category, original_filename,
      uploaded_at, preview_key
    from evidence_files where guest_link_id = ${guest_link_id} and deleted_at is null
    union all
    (select distinct on (file.id) file.id, uploads.id::text, false, uploads.category, uploads.filename,
      uploads.created_at, preview_key
    from uploads join evidence_files file on file.id = uploads.evidence_id
    where uploads.guest_link_id = ${guest_link_id} and file.deleted_at is null
      and file.guest_link_id is distinct from uploads.guest_link_id
    order by file.id, uploads.created_at)
    order by uploaded_at desc, id desc`.execute(ctx.db)
  return rows
}
type GuestFile = Pick<
  Selectable<EvidenceFiles>,
  'id' | 'evidence_category' | 'original_filename' | 'uploaded_at' | 'preview_key'
> & { sent_as: string; is_own: boolean }

export const companyName = async (ctx: Ctx, id: number) =>
  (await ctx.db.selectFrom('companies').where('id', '=', id).select('trading_name').executeTakeFirstOrThrow())
    .trading_name
