import { conflict } from '@garantia/shared/errors'
import { inConversionOrder } from '@garantia/shared/evidence/budget'
import { canConvert } from '@garantia/shared/evidence/status'
import { conversionJobKey } from '@garantia/shared/jobs'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { type Ctx, enqueue, inTransaction } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events.ts'
import { MAX_ATTEMPTS } from '../claims/service.ts'
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
    const ids = files.map((file) => file.id)
    await ctx.db
      .updateTable('evidence_files')
      .set({
        status: 'converting',
        progress: 0,
        error: null,
        queued_at: ctx.clock(),
        started_at: null,
        finished_at: null,
        budget_bytes: null,
        lease_until: null,
      })
      .where('id', 'in', ids)
      .execute()
    // The place in its own order is a job's priority, so that three files of one order do not wait for three
    // hundred of another.
    const inTurn = [...files].sort(inConversionOrder)
    for (const [priority, { id }] of inTurn.entries())
      await enqueue(
        ctx,
        'convert-evidence',
        { evidence_id: id },
        { key: conversionJobKey(id), priority, max_attempts: MAX_ATTEMPTS },
      )
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'conversion.requested',
      changes: { evidence_ids: ids },
    })
    await recompute(ctx, order_id)
    return files.length
  })
}
