import type { HistoryFilter, HistoryPage } from '@garantia/shared/orders/history'
import { maskedChanges, seesOrderWhole } from '@garantia/shared/orders/masking'
import { withoutRecorded } from '@garantia/shared/orders/recorded'
import type { Ctx } from '../../../kernel/context.ts'
import { visibleOrder } from './access.ts'
import { eventsBefore } from './queries.ts'

const HISTORY_PAGE = 50

/** A page of the order's events, newest first. 404 when the order is outside the caller's scope. */
export async function readHistory(ctx: Ctx, filter: HistoryFilter): Promise<HistoryPage> {
  const order = await visibleOrder(ctx, filter.id)
  const { id } = order
  const isWhole = seesOrderWhole(ctx.actor, order)
  // Its changes name the customer, before and after.
  ctx.securityLog.note(ctx, { kind: 'order.read', order_id: id })
  const limit = filter.limit ?? HISTORY_PAGE
  const found = await eventsBefore(ctx, { ...filter, id }, limit + 1)
  return {
    events: found.slice(0, limit).map(({ at, changes, ...event }) => {
      const told = withoutRecorded(event.kind, changes as Record<string, unknown>)
      return { ...event, at: at.toISOString(), changes: isWhole ? told : maskedChanges(told) }
    }),
    has_more: found.length > limit,
  }
}
