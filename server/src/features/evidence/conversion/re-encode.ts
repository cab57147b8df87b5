import { filesToReencode } from '@garantia/shared/evidence/budget'
import { isClosed } from '@garantia/shared/orders/status'
import type { Ctx } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { enqueueConversions } from './enqueue.ts'
import { findPlanned, type PlannedRow } from './lease-queries.ts'
import { type LockedFile, packageItem } from './leased-file.ts'

/**
 * Queues the over-compressed files of an order for a re-encode pass when its last conversion has finished and
 * under 70 % of the package limit is used. Called in the transaction that finishes it, so that the order
 * never appears finished in between.
 */
export async function startReencodePass(ctx: Ctx, order: LockedFile['order']) {
  if (isClosed(order.status) || (await isAnyOpen(ctx, order.id))) return
  const files = await findPlanned(ctx, order.id)
  const { max_file_size_mb } = await findBrand(ctx, order.brand_id)
  const chosen = new Set(filesToReencode(files.map(convertedItem), max_file_size_mb).map(({ id }) => id))
  const again = files.filter(({ id }) => chosen.has(id))
  if (again.length === 0) return
  await enqueueConversions(ctx, again, true)
  await recordEvent(
    { ...ctx, actor: { kind: 'system' } },
    {
      subject: 'order',
      subject_id: order.id,
      kind: 'conversion.repeated',
      changes: { evidence_ids: again.map(({ id }) => id) },
    },
  )
}

/** Checked before the files are read: of n finishing conversions only the last has to read them. */
const isAnyOpen = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('deleted_at', 'is', null)
    .where('status', 'in', ['pending', 'converting'])
    .select('id')
    .limit(1)
    .executeTakeFirst()

const convertedItem = (file: PlannedRow) => ({
  ...packageItem(file),
  is_over_compressed: file.is_over_compressed === true && file.purged_at === null,
  is_reencode_pass: file.is_reencode_pass,
})
