import { packageLimit } from '@garantia/shared/evidence/budget'
import { checkPackage, isPackageValid, type JudgedOrder } from '@garantia/shared/evidence/validation'
import { conversionJobKey } from '@garantia/shared/jobs'
import {
  conversionStatusOf,
  type FileCounts,
  followsPipeline,
  nextStatus,
  pipelineStatus,
} from '@garantia/shared/orders/status'
import type { Pipeline } from '@garantia/shared/orders/transitions'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Ctx, removeJob } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { type BrandRow, brandFrom, brandRow } from '../../catalogue/brands/service.ts'
import { lockedOrder } from './access.ts'
import { type CheckedFileRow, checkedFiles, countFiles, filesToCheck, type OrderRow } from './queries.ts'

type FiledOrder = JudgedOrder & Pick<OrderRow, 'id' | 'brand_id'>

const isWhole = ({ pending, converting, converted, failed }: FileCounts) =>
  converted > 0 && pending + converting + failed === 0

/**
 * The files of an order and whether they are valid: read only when all are converted, as they may be many.
 */
async function readWhole(ctx: Ctx, order: FiledOrder, known?: BrandRow) {
  const { files, ...brand } = known
    ? { ...known, files: await filesToCheck(ctx, order.id) }
    : brandFrom(
        await brandRow(ctx, order.brand_id)
          .select(jsonArrayFrom(checkedFiles(ctx, order.id)).as('files'))
          .executeTakeFirst(),
      )
  return { brand, files, isValid: isPackageValid(checkPackage(brand, order, files)) }
}

/**
 * Updates status and conversion status from the files, under the order's lock, and increases
 * `evidence_version`. To be called in a transaction after every change of a file or of what a package is
 * checked by; repeating it does no harm. A status change is recorded as an event of the system. 404 when the
 * order is gone.
 */
export async function recompute(
  ctx: Ctx,
  order_id: number,
  /** Read by the caller under the lock and unchanged since. */
  known?: { order: OrderRow; brand?: BrandRow; counts?: FileCounts },
) {
  const order = known?.order ?? (await lockedOrder(ctx, order_id))
  const counts = known?.counts ?? (await countFiles(ctx, order_id))
  const whole = isWhole(counts) ? await readWhole(ctx, order, known?.brand) : null
  const status = nextStatus(order.status, counts, whole?.isValid === true)
  const conversion_status = conversionStatusOf(
    counts,
    whole !== null && (await isVerified(ctx, whole.brand.max_file_size_mb, whole.files)),
  )
  await ctx.db
    .updateTable('service_orders')
    .set((eb) => ({
      status,
      conversion_status,
      package_ready_at: conversion_status === 'available' ? (order.package_ready_at ?? ctx.clock()) : null,
      evidence_version: eb('evidence_version', '+', 1),
    }))
    .where('id', '=', order_id)
    .execute()
  if (status !== order.status)
    await recordEvent(
      { ...ctx, actor: { kind: 'system' } },
      { subject: 'order', subject_id: order_id, kind: 'status', changes: { status: [order.status, status] } },
    )
}

/**
 * Whether the package can be downloaded: every converted object exists with its recorded size, and all fit
 * within the brand's limit (D-07).
 */
async function isVerified(ctx: Ctx, max_file_size_mb: number, files: readonly CheckedFileRow[]) {
  const total = files.reduce((sum, file) => sum + (file.converted_size ?? 0), 0)
  return total <= packageLimit(max_file_size_mb) && (await isStored(ctx, files))
}
async function isStored(ctx: Ctx, files: readonly CheckedFileRow[]) {
  const sizes = await Promise.all(files.map((file) => ctx.storage.size(file.converted_key ?? '')))
  return sizes.every((size, index) => size === files[index]?.converted_size)
}

/**
 * The status the order has by its files. While it follows the pipeline, or is completed, that is its present
 * status; the files are read only when a person paused or cancelled it.
 */
export async function pipelineOf(ctx: Ctx, order: FiledOrder): Promise<Pipeline> {
  const { status } = order
  if (followsPipeline(status) || status === 'completed')
    return { value: status, is_converting: status === 'in_progress' }
  const counts = await countFiles(ctx, order.id)
  const isValid = isWhole(counts) && (await readWhole(ctx, order)).isValid
  return { value: pipelineStatus(counts, isValid), is_converting: counts.converting > 0 }
}

/**
 * Cancels the conversions of an order: removes their jobs and increments the attempt, so that a running
 * worker finds its lease lost. A copy that was made before is kept, and is the file's again unless the photo was turned or
 * marked since. Returns the number of files.
 */
export async function withdrawConversions(ctx: Ctx, order_id: number) {
  const withdrawn = await ctx.db
    .updateTable('evidence_files')
    .set((eb) => ({
      status: sql<'pending'>`(case when converted_key is null or is_copy_outdated then 'pending' else 'converted' end)::evidence_status`,
      attempt: eb('attempt', '+', 1),
      progress: 0,
      budget_bytes: null,
      lease_until: null,
    }))
    .where('order_id', '=', order_id)
    .where('status', '=', 'converting')
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  for (const { id } of withdrawn) await removeJob(ctx, conversionJobKey(id))
  return withdrawn.length
}
