import { resultOf, type ValidationResult } from '@garantia/shared/evidence/checks'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { createFairQueue } from '../../../kernel/fair-queue.ts'
import { callerKeyOf } from '../../../kernel/passwords.ts'
import { checksOf } from '../../orders/checks/service.ts'
import { visibleOrder } from '../../orders/order/service.ts'

/** Each reads every byte of an order: all together use no more of the disk and of the processor than two. */
const runInTurn = createFairQueue({ at_once: 2, most_waiting_per_caller: 100, most_waiting: 1_000 })

/**
 * Whether the package may be sent to the manufacturer, rule by rule (D-23); reads every stored byte. 404
 * outside the caller's scope; 403 without permission; 429 when a hundred of the caller's wait already.
 */
export async function validateEvidence(ctx: Ctx, order_id: number): Promise<ValidationResult> {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.validate', order)
  return resultOf(await runInTurn(callerKeyOf(ctx), () => checksOf(ctx, order, { integrity: 'bytes' })))
}

/**
 * The same rules for a page that shows them permanently: sizes are checked, no stored byte is read. 404
 * outside the caller's scope.
 */
export async function readChecklist(ctx: Ctx, order_id: number): Promise<ValidationResult> {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.read', order)
  return resultOf(await checksOf(ctx, order, { integrity: 'sizes' }))
}
