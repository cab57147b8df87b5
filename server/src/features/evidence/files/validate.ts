import { resultOf, type ValidationResult } from '@garantia/shared/evidence/checks'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { checksOf } from '../../orders/checks/service.ts'
import { visibleOrder } from '../../orders/order/service.ts'

/** Says whether the package may go to the manufacturer and, rule by rule, what stands in the way (D-23). */
export async function validateEvidence(ctx: Ctx, order_id: number): Promise<ValidationResult> {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.validate', order)
  return resultOf(await checksOf(ctx, order, { integrity: 'bytes' }))
}

/** The same rows for a page that shows them all the time: no stored byte is read. */
export async function readChecklist(ctx: Ctx, order_id: number): Promise<ValidationResult> {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.read', order)
  return resultOf(await checksOf(ctx, order, { integrity: 'sizes' }))
}
