import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import type { OrderFilter } from '@garantia/shared/orders/criteria'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'

/**
 * Records that a page of the list goes to paper, as an export is recorded: the browser prints what it has, so that
 * nothing else is asked for. Refuses an anonymous caller with 401.
 */
export async function recordPrint(ctx: Ctx, { skip = 0, limit = DEFAULT_LIMIT, ...filter }: OrderFilter) {
  authorize(ctx.actor, 'order.list')
  const page = Math.floor(skip / Math.max(1, limit)) + 1
  ctx.securityLog.note(ctx, { kind: 'orders.printed', details: { page } })
  if (ctx.actor.kind === 'user')
    await recordEvent(ctx, {
      subject: 'user',
      subject_id: ctx.actor.id,
      kind: 'orders.printed',
      changes: { ...filter, page },
    })
}
