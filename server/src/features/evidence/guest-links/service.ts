import { createHash, randomBytes } from 'node:crypto'
import { AppError, conflict, forbidden, invalid, notFound } from '@garantia/shared/errors'
import {
  GUEST_EXPIRED,
  GUEST_FULL,
  GUEST_LINKS_MAX,
  GUEST_OTHER_CATEGORY,
  GUEST_OWNER_GONE,
  GUEST_REVOKED,
  GUEST_UNKNOWN,
  type GuestLinkInput,
  type GuestLinkView,
  type GuestView,
  guestLinkState,
  guestOverBytes,
  type NewGuestLink,
} from '@garantia/shared/evidence/guest-link'
import { bytes } from '@garantia/shared/format'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { authorize, can, guestLinkOf } from '@garantia/shared/policy'
import { requireUser } from '../../../kernel/caller.ts'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { networkOf } from '../../../kernel/origin.ts'
import { findActivePerson } from '../../../kernel/person.ts'
import { throttle } from '../../../kernel/throttle.ts'
import { lockedOrder, visibleOrder } from '../../orders/order/service.ts'
import { lockCaller } from '../../people/users/service.ts'
import { limitOfUpload } from '../files/service.ts'
import { companyName, filesBy, findByHash, findLink, type GuestLinkRow, linksOf, usedOf } from './queries.ts'

/** 192 random bits: short enough for a QR code that a phone reads from a screen at arm's length. */
const TOKEN_BYTES = 24
const HOUR = 3_600
const DAY_MS = 86_400_000
const UNKNOWN_PER_HOUR = 30
const CALLS_PER_HOUR = 3_000
const MADE_PER_HOUR = 60
/** `last_used_at` is written at most once a minute. */
const USE_NOTED_MS = 60_000
const MISSING = 'Link não encontrado'

export { filesBy } from './queries.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
const NOTHING = { files: 0, bytes: 0 }

const present = (
  row: GuestLinkRow,
  created_by_name: string | null,
  used: { files: number; bytes: number } = NOTHING,
): GuestLinkView => ({
  id: row.id,
  label: row.label,
  categories: row.categories,
  shows: row.shows,
  max_files: row.max_files,
  max_bytes: row.max_bytes,
  ...used,
  created_at: row.created_at.toISOString(),
  created_by_name: created_by_name ?? '—',
  expires_at: row.expires_at.toISOString(),
  revoked_at: row.revoked_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
})

/** The links of an order, newest first, without their secrets. 404 outside the caller's scope; 403 without permission. */
export async function listGuestLinks(ctx: Ctx, order_id: number): Promise<GuestLinkView[]> {
  authorize(ctx.actor, 'guest-link.manage', await visibleOrder(ctx, order_id))
  const rows = await linksOf(ctx, order_id)
  const used = await usedOf(
    ctx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => present(row, row.created_by_name, used.get(row.id)))
}

/**
 * Makes a link; only this answer contains its token. It gives what its maker may do at the moment of each call, and of
 * that only sending files of these categories to this order. 404 outside the caller's scope; 403 without permission or
 * with an API token; 409 when the order is closed or has 10 active links; 429 after 60 in an hour.
 */
export async function makeGuestLink(ctx: Ctx, input: GuestLinkInput): Promise<NewGuestLink> {
  const { id: created_by, name } = requireUser(ctx)
  const { order_id, expires_in_days, ...given } = input
  authorize(ctx.actor, 'guest-link.manage', await visibleOrder(ctx, order_id))
  await throttle(ctx, { bucket: `guest-links|${created_by}`, hits: MADE_PER_HOUR, window_seconds: HOUR })
  return inTransaction(ctx, async (ctx) => {
    // Before the order: whoever ends somebody's links has the person locked first.
    await lockCaller(ctx)
    const order = await lockedOrder(ctx, order_id)
    if (isClosed(order.status)) throw conflict(CLOSED_ORDER)
    const now = ctx.clock()
    const active = (await linksOf(ctx, order_id)).filter((link) => guestLinkState(link, now) === 'active')
    if (active.length >= GUEST_LINKS_MAX)
      throw conflict(`Esta OS já tem ${GUEST_LINKS_MAX} links ativos. Revogue um deles para criar outro.`)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const row = await ctx.db
      .insertInto('guest_links')
      .values({
        ...given,
        order_id,
        created_by,
        token_hash: hashOf(token),
        created_at: now,
        expires_at: new Date(now.getTime() + expires_in_days * DAY_MS),
      })
      .returningAll()
      .$narrowType<Pick<GuestLinkRow, 'categories' | 'shows'>>()
      .executeTakeFirstOrThrow()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'guest_link.made',
      changes: { guest_link_id: row.id, guest_link: row.label, expires_at: row.expires_at },
    })
    return { ...present(row, name), token }
  })
}

/**
 * Ends a link at once; what it has brought stays. Does nothing when it was revoked before. 404 outside the caller's
 * scope; 403 without permission.
 */
export async function revokeGuestLink(ctx: Ctx, id: number) {
  await inTransaction(ctx, async (ctx) => {
    const link = await findLink(ctx, id)
    if (!link) throw notFound(MISSING)
    authorize(ctx.actor, 'guest-link.manage', await lockedOrder(ctx, link.order_id))
    const { numUpdatedRows } = await ctx.db
      .updateTable('guest_links')
      .set({ revoked_at: ctx.clock() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: link.order_id,
      kind: 'guest_link.revoked',
      changes: { guest_link_id: id, guest_link: link.label },
    })
  })
}

/** A call by a link: the person who made it, limited to the link, and the link. */
export interface Guest {
  ctx: Ctx
  link: GuestLinkRow
}
/**
 * The call of somebody who has the token of a link. Reading uses nothing up, so that programs that look at addresses in
 * messages do no harm. 404 when the token is unknown; 403 when the link is revoked or expired, or its maker may not
 * send files to the order any more; 429 after 30 unknown tokens of a network, or 3 000 calls of a link, in an hour.
 */
export async function asGuest(ctx: Ctx, token: string): Promise<Guest> {
  const link = await findByHash(ctx, hashOf(token))
  await throttle(
    ctx,
    link
      ? { bucket: `guest|${link.id}`, hits: CALLS_PER_HOUR, window_seconds: HOUR }
      : {
          bucket: `guest-unknown|${networkOf(ctx.origin?.ip ?? null)}`,
          hits: UNKNOWN_PER_HOUR,
          window_seconds: HOUR,
        },
  )
  if (!link) throw notFound(GUEST_UNKNOWN)
  const now = ctx.clock()
  const state = guestLinkState(link, now)
  if (state === 'revoked') throw forbidden(GUEST_REVOKED)
  if (state === 'expired') throw forbidden(GUEST_EXPIRED)
  const person = await findActivePerson(ctx.db, link.created_by)
  if (!person) throw forbidden(GUEST_OWNER_GONE)
  const guest: Ctx = { ...ctx, actor: { ...person, guest_link: { id: link.id, label: link.label } } }
  await refuseWithoutRight(guest, link.order_id)
  if (!link.last_used_at || now.getTime() - link.last_used_at.getTime() > USE_NOTED_MS)
    await ctx.db.updateTable('guest_links').set({ last_used_at: now }).where('id', '=', link.id).execute()
  return { ctx: guest, link }
}

/** That an order is deleted, or its maker was moved, is all the same to a guest. */
async function refuseWithoutRight(ctx: Ctx, order_id: number) {
  const order = await visibleOrder(ctx, order_id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })
  if (!order || !can(ctx.actor, 'evidence.upload', order)) throw forbidden(GUEST_OWNER_GONE)
}

/** What a link's page shows: what its maker ticked, what is left, and what has arrived by it. */
export async function readAsGuest({ ctx, link }: Guest): Promise<GuestView> {
  const order = await visibleOrder(ctx, link.order_id)
  const known = {
    company: await companyName(ctx, order.company_id),
    os_number: order.os_number,
    vehicle_model: order.vehicle_model,
    vehicle_plate: order.vehicle_plate,
  }
  const files = await filesBy(ctx, link.id)
  const used = (await usedOf(ctx, [link.id])).get(link.id) ?? NOTHING
  return {
    label: link.label,
    order: Object.fromEntries(link.shows.map((name) => [name, known[name]])),
    is_closed: isClosed(order.status),
    categories: link.categories,
    expires_at: link.expires_at.toISOString(),
    files_left: Math.max(0, link.max_files - used.files),
    bytes_left: Math.max(0, link.max_bytes - used.bytes),
    max_file_bytes: limitOfUpload(ctx),
    files: files.map(({ sent_as, evidence_category, original_filename, uploaded_at, preview_key }) => ({
      id: sent_as,
      category: evidence_category,
      filename: original_filename,
      uploaded_at: uploaded_at.toISOString(),
      has_thumbnail: preview_key !== null,
    })),
  }
}

/** The thumbnail of a file that has arrived by the link, by the id of its upload. 404 for any other, and until it is made. */
export async function openGuestThumbnail({ ctx, link }: Guest, id: string) {
  const file = (await filesBy(ctx, link.id)).find(({ sent_as }) => sent_as === id)
  if (!file?.preview_key) throw notFound('Arquivo não encontrado')
  return ctx.storage.read(file.preview_key)
}

/**
 * Refuses a file beyond what the link of a guest allows: 422 for another category, 409 over its count or bytes. To be
 * called where announcements come one after the other.
 */
export async function refuseOverLink(ctx: Ctx, file: { bytes: number; category: string | null }) {
  const { id } = guestLinkOf(ctx.actor) ?? {}
  const link = id === undefined ? undefined : await findLink(ctx, id)
  if (!link) return
  if (!(link.categories as (string | null)[]).includes(file.category))
    throw invalid(GUEST_OTHER_CATEGORY, 'header', 'category')
  const used = (await usedOf(ctx, [link.id])).get(link.id) ?? NOTHING
  if (used.files >= link.max_files) throw conflict(GUEST_FULL)
  const left = link.max_bytes - used.bytes
  if (file.bytes > left) throw conflict(guestOverBytes(bytes(Math.max(0, left))))
}
