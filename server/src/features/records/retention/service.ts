import { type HoldView, isUnderLegalHold } from '@garantia/shared/orders/hold'
import { authorize } from '@garantia/shared/policy'
import { BIN_DAYS, daysBefore } from '@garantia/shared/retention/rules'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { lockedOrder, recompute, visibleOrder } from '../../orders/order/service.ts'
import { redactCustomer } from '../chain/service.ts'
import {
  type Binned,
  binnedBefore,
  dossierKeys,
  type ExpiredOrder,
  expiredOrders,
  keysOf,
  lockAnyOrder,
} from './queries.ts'

export type { Binned, ExpiredOrder } from './queries.ts'
export { dossierKeys, lockAnyOrder } from './queries.ts'

/** The legal hold of an order. 404 outside the caller's scope. */
export async function readHold(ctx: Ctx, id: number): Promise<HoldView> {
  const order = await visibleOrder(ctx, id)
  const holder = await ctx.db
    .selectFrom('users')
    .where('id', '=', order.legal_hold_by ?? 0)
    .select('full_name')
    .executeTakeFirst()
  return {
    is_held: isUnderLegalHold(order),
    held_at: order.legal_hold_at?.toISOString() ?? null,
    held_by: holder?.full_name ?? null,
    reason: order.legal_hold_reason,
  }
}

/**
 * Puts an order, closed or not, under legal hold, which prevents every deletion; a new reason replaces the
 * old one. 404 outside the caller's scope; 403 unless administrator.
 */
export const holdOrder = (ctx: Ctx, id: number, reason: string) => setHold(ctx, id, reason)
/** Ends the legal hold of an order. 404 outside the caller's scope; 403 unless administrator. */
export const releaseOrder = (ctx: Ctx, id: number) => setHold(ctx, id, null)

async function setHold(ctx: Ctx, id: number, reason: string | null): Promise<HoldView> {
  authorize(ctx.actor, 'order.hold', await visibleOrder(ctx, id))
  await inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, id)
    if (order.legal_hold_reason === reason) return
    await ctx.db
      .updateTable('service_orders')
      .set({
        legal_hold_at: reason && (order.legal_hold_at ?? ctx.clock()),
        legal_hold_by: reason && ctx.actor.kind === 'user' ? ctx.actor.id : null,
        legal_hold_reason: reason,
      })
      .where('id', '=', id)
      .execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: id,
      kind: reason ? 'held' : 'released',
      changes: { legal_hold_reason: [order.legal_hold_reason, reason] },
    })
  })
  return readHold(ctx, id)
}

export interface BinReport {
  orders: number
  files: number
  bytes: number
  /** Due, but under legal hold. */
  held: number
  items: Binned[]
}
/** What has been in the bin for more than 30 days (D-17), and is due for purging. */
export async function readBin(ctx: Ctx): Promise<BinReport> {
  const items = await binnedBefore(ctx, daysBefore(ctx.clock(), BIN_DAYS))
  const due = items.filter((item) => !item.is_held)
  return {
    orders: due.filter((item) => item.is_whole).length,
    files: due.reduce((sum, { files }) => sum + files, 0),
    bytes: due.reduce((sum, { bytes }) => sum + bytes, 0),
    held: items.length - due.length,
    items,
  }
}

/**
 * Purges what has been in the bin for more than 30 days: objects, rows and the customer's data in the trail;
 * the events stay. Orders under legal hold are skipped.
 */
export async function emptyBin(ctx: Ctx): Promise<BinReport> {
  const report = await readBin(ctx)
  for (const item of report.items.filter((item) => !item.is_held)) await purgeOrder(ctx, item.order_id)
  return report
}

/**
 * Removes objects first, rows after: if interrupted in between, the rows are still due and the next run
 * completes it. Checked again under the lock, since a hold or a restore may have happened meanwhile.
 */
function purgeOrder(ctx: Ctx, order_id: number) {
  const before = daysBefore(ctx.clock(), BIN_DAYS)
  return inTransaction(ctx, async (ctx) => {
    const order = await lockAnyOrder(ctx, order_id)
    if (!order || isUnderLegalHold(order)) return
    const isWhole = order.deleted_at !== null && order.deleted_at <= before
    const files = await ctx.db
      .selectFrom('evidence_files')
      .where('order_id', '=', order_id)
      .$if(!isWhole, (query) => query.where('deleted_at', '<=', before))
      .select(['id', 'sha256', 'original_key', 'converted_key', 'preview_key'])
      .execute()
    const keys = [...(await keysOf(ctx, files)), ...(isWhole ? await dossierKeys(ctx, order_id) : [])]
    for (const key of keys) await ctx.storage.remove(key)
    if (files.length > 0)
      await ctx.db
        .deleteFrom('evidence_files')
        .where(
          'id',
          'in',
          files.map(({ id }) => id),
        )
        .execute()
    if (isWhole) await ctx.db.deleteFrom('service_orders').where('id', '=', order_id).execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: isWhole ? 'purged' : 'evidence.purged',
      changes: { os_number: order.os_number, files: files.map(({ id, sha256 }) => ({ id, sha256 })) },
    })
    if (isWhole) await redactCustomer(ctx, order_id)
  })
}

export interface RetentionReport {
  orders: number
  files: number
  bytes: number
  items: ExpiredOrder[]
}
/** Every order whose retention period is over: what would be deleted now, and what prevents the others. */
export async function readRetention(ctx: Ctx): Promise<RetentionReport> {
  const items = await expiredOrders(ctx, ctx.clock())
  const due = items.filter(({ verdict }) => verdict === 'due')
  return {
    orders: due.length,
    files: due.reduce((sum, { files }) => sum + files, 0),
    bytes: due.reduce((sum, { bytes }) => sum + bytes, 0),
    items,
  }
}

/**
 * Deletes the files and dossiers of orders whose retention period is over; hashes, manifests and the trail
 * stay.
 */
export async function applyRetention(ctx: Ctx): Promise<RetentionReport> {
  const report = await readRetention(ctx)
  for (const { order_id, verdict } of report.items) if (verdict === 'due') await expireMedia(ctx, order_id)
  return report
}

function expireMedia(ctx: Ctx, order_id: number) {
  return inTransaction(ctx, async (ctx) => {
    await lockAnyOrder(ctx, order_id)
    const [order] = await expiredOrders(ctx, ctx.clock(), order_id)
    if (order?.verdict !== 'due') return
    const files = await ctx.db
      .selectFrom('evidence_files')
      .where('order_id', '=', order_id)
      .where('deleted_at', 'is', null)
      .where('purged_at', 'is', null)
      .select(['id', 'sha256', 'converted_sha256', 'original_key', 'converted_key', 'preview_key'])
      .execute()
    for (const key of [...(await keysOf(ctx, files)), ...(await dossierKeys(ctx, order_id))])
      await ctx.storage.remove(key)
    const purged_at = ctx.clock()
    await ctx.db
      .updateTable('evidence_files')
      .set({ purged_at, preview_key: null })
      .where('order_id', '=', order_id)
      .where('deleted_at', 'is', null)
      .where('purged_at', 'is', null)
      .execute()
    await ctx.db
      .deleteFrom('unmarked_copies')
      .where('evidence_id', 'in', (row) =>
        row
          .selectFrom('evidence_files')
          .where('order_id', '=', order_id)
          .where('purged_at', 'is not', null)
          .select('id'),
      )
      .execute()
    await ctx.db
      .updateTable('dossiers')
      .set({ purged_at })
      .where('order_id', '=', order_id)
      .where('purged_at', 'is', null)
      .where('status', '=', 'sealed')
      .execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'evidence.expired',
      changes: {
        retention_months: order.months,
        files: files.map(({ id, sha256, converted_sha256 }) => ({ id, sha256, converted_sha256 })),
      },
    })
    await recompute(ctx, order_id)
  })
}
