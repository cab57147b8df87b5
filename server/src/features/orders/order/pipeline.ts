import { packageLimit } from '@garantia/shared/evidence/budget'
import { checkPackage, isPackageValid } from '@garantia/shared/evidence/validation'
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
import { type Ctx, removeJob } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { type BrandRow, findBrand } from '../../catalogue/brands/service.ts'
import { lockedOrder } from './access.ts'
import { type CheckedFileRow, filesToCheck, type OrderRow } from './queries.ts'

function countsOf(files: readonly CheckedFileRow[]): FileCounts {
  const counts: FileCounts = { pending: 0, converting: 0, converted: 0, failed: 0 }
  for (const file of files) counts[file.status]++
  return counts
}

const isWhole = (files: readonly CheckedFileRow[]) =>
  files.length > 0 && files.every((file) => file.status === 'converted')
const isValid = (brand: BrandRow, order: OrderRow, files: readonly CheckedFileRow[]) =>
  isWhole(files) && isPackageValid(checkPackage(brand, order, files))

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
  known?: { order: OrderRow; brand?: BrandRow },
) {
  const order = known?.order ?? (await lockedOrder(ctx, order_id))
  const brand = known?.brand ?? (await findBrand(ctx, order.brand_id))
  const files = await filesToCheck(ctx, order_id)
  const counts = countsOf(files)
  const status = nextStatus(order.status, counts, isValid(brand, order, files))
  const conversion_status = conversionStatusOf(
    counts,
    isWhole(files) && (await isVerified(ctx, brand.max_file_size_mb, files)),
  )
  await ctx.db
    .updateTable('service_orders')
    .set((eb) => ({ status, conversion_status, evidence_version: eb('evidence_version', '+', 1) }))
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
export async function pipelineOf(ctx: Ctx, order: OrderRow): Promise<Pipeline> {
  const { status } = order
  if (followsPipeline(status) || status === 'completed')
    return { value: status, is_converting: status === 'in_progress' }
  const [brand, files] = await Promise.all([findBrand(ctx, order.brand_id), filesToCheck(ctx, order.id)])
  const counts = countsOf(files)
  return {
    value: pipelineStatus(counts, isValid(brand, order, files)),
    is_converting: counts.converting > 0,
  }
}

/**
 * Cancels the conversions of an order: removes their jobs and increments the attempt, so that a running
 * worker finds its lease lost. A copy that was made before is kept. Returns the number of files.
 */
export async function withdrawConversions(ctx: Ctx, order_id: number) {
  const withdrawn = await ctx.db
    .updateTable('evidence_files')
    .set((eb) => ({
      status: sql<'pending'>`(case when converted_key is null then 'pending' else 'converted' end)::evidence_status`,
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
