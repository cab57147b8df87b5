import { AppError, conflict, invalid } from '@garantia/shared/errors'
import { resultOf } from '@garantia/shared/evidence/checks'
import type { NotificationKind } from '@garantia/shared/notifications/schema'
import { problemsText } from '@garantia/shared/orders/problems'
import type { StatusChange } from '@garantia/shared/orders/schema'
import type { OrderStatus } from '@garantia/shared/orders/status'
import { checkTransition, type Move, REASON_TO_REOPEN } from '@garantia/shared/orders/transitions'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { notify } from '../../people/notifications/service.ts'
import { checksOf } from '../checks/service.ts'
import { enqueueDossier } from '../dossier-request/service.ts'
import { pipelineOf, recompute, withdrawConversions } from './pipeline.ts'
import type { OrderRow } from './queries.ts'

/**
 * Makes a transition of an order locked by the caller's transaction; does nothing when it has that status.
 * Records the event, queues a dossier on completion and cancels conversions on cancellation. 403 or 409 when
 * the transition is refused, also when the order has problems that the brand or the caller does not accept;
 * 422 when reopening lacks a reason.
 */
export async function transitionOrder(ctx: Ctx, order: OrderRow, change: StatusChange) {
  authorize(ctx.actor, 'order.status', order)
  const { status, reason = null } = change
  if (status === order.status) return
  const {
    refusal,
    reason: why,
    move,
  } = checkTransition(ctx.actor, order, status, await pipelineOf(ctx, order))
  if (refusal) throw new AppError(refusal, why ?? '')
  if (move === 'reopen' && !reason) throw invalid(REASON_TO_REOPEN, 'reason')
  const problems = move === 'complete' ? await acceptedProblems(ctx, order, change) : []
  const now = ctx.clock()
  await ctx.db
    .updateTable('service_orders')
    .set((eb) => ({
      status,
      ...closingColumns(status, now),
      version: eb('version', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', order.id)
    .execute()
  await recordEvent(ctx, {
    subject: 'order',
    subject_id: order.id,
    kind: 'status',
    changes: {
      status: [order.status, status],
      ...(reason && { reason }),
      ...(problems.length > 0 && { problems }),
      ...(move === 'reopen' && clearedClosingTimes(order)),
    },
  })
  const kind = move && TOLD[move]
  if (kind)
    await notify(ctx, [order.technician_user_id, order.responsible_user_id, order.created_by], {
      kind,
      order_id: order.id,
      text: reason,
    })
  if (move === 'complete') await enqueueDossier(ctx, order.id)
  if (move === 'cancel' && (await withdrawConversions(ctx, order.id)) > 0) await recompute(ctx, order.id)
}

/** The transitions that ask the technician, the responsible person or who opened the order for something. */
const TOLD: Partial<Record<Move, NotificationKind>> = {
  request: 'evidence.requested',
  hold: 'order.pending',
  reopen: 'order.reopened',
}

const closingColumns = (status: OrderStatus, now: Date) => ({
  completed_at: status === 'completed' ? now : null,
  cancelled_at: status === 'cancelled' ? now : null,
})
/** The closing times that reopening removes are kept in the event. */
const clearedClosingTimes = ({ completed_at, cancelled_at }: OrderRow) =>
  completed_at ? { completed_at: [completed_at, null] } : { cancelled_at: [cancelled_at, null] }

/**
 * The completion check (D-10): the brand either refuses an order with problems, or has them shown and asks
 * for confirmation. Accepted problems are recorded with the completion.
 */
async function acceptedProblems(ctx: Ctx, order: OrderRow, { accepts_problems }: StatusChange) {
  const checks = await checksOf(ctx, order, { purpose: 'completion', integrity: 'sizes' })
  const { errors: problems } = resultOf(checks)
  if (problems.length === 0) return []
  const brand = await findBrand(ctx, order.brand_id)
  if (brand.completion_policy === 'bloquear')
    throw conflict(`A marca não aceita concluir com problemas: ${problems.join('; ')}.`)
  if (!accepts_problems) throw conflict(problemsText(problems))
  return problems
}
