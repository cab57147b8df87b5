import { conflict } from '@garantia/shared/errors'
import { canConvert } from '@garantia/shared/evidence/status'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { type Ctx, inTransaction } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events.ts'
import { putInQueue } from '../claims/service.ts'
import { type EvidenceRow, liveFiles } from '../evidence/service.ts'
import { lockedOrder, recompute } from '../orders/service.ts'

/** Puts the chosen files of an order in the queue, as far as their state allows; says how many. */
export function queue(ctx: Ctx, order_id: number, force: boolean, chosen: (file: EvidenceRow) => boolean) {
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, order_id)
    if (isClosed(order.status)) throw conflict(CLOSED_ORDER)
    const files = (await liveFiles(ctx, order_id)).filter(
      (file) => chosen(file) && canConvert(file.status, force) && !file.purged_at,
    )
    if (files.length === 0) return 0
    await putInQueue(ctx, files, false)
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'conversion.requested',
      changes: { evidence_ids: files.map((file) => file.id) },
    })
    await recompute(ctx, order_id)
    return files.length
  })
}
