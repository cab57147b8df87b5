import type { GuestLinks } from '@garantia/migrations/schema'
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

/** Files and bytes by link: those that have arrived and are not deleted, and those announced and not yet complete. */
export async function usedOf(ctx: Ctx, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { files: number; bytes: number }>()
  const { rows } = await sql<{ id: number; files: number; bytes: number }>`
    select id, count(*)::int as files, sum(size)::bigint as bytes from (
      select guest_link_id as id, file_size as size from evidence_files
        where guest_link_id = any(${[...ids]}::bigint[]) and deleted_at is null
      union all
      select guest_link_id, size from uploads
        where guest_link_id = any(${[...ids]}::bigint[]) and evidence_id is null and expires_at > ${ctx.clock()}) used
    group by id`.execute(ctx.db)
  return new Map(rows.map(({ id, ...used }) => [id, used]))
}

/** What has arrived by a link and is not deleted, newest first. */
export const filesBy = (ctx: Ctx, guest_link_id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('guest_link_id', '=', guest_link_id)
    .where('deleted_at', 'is', null)
    .select(['id', 'evidence_category', 'original_filename', 'uploaded_at', 'preview_key'])
    .orderBy('id', 'desc')
    .execute()

export const companyName = async (ctx: Ctx, id: number) =>
  (await ctx.db.selectFrom('companies').where('id', '=', id).select('trading_name').executeTakeFirstOrThrow())
    .trading_name
