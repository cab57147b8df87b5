import { legalClock, zoneOf } from '@garantia/shared/claims/legal-clock'
import type { LegalClockView } from '@garantia/shared/claims/visits'
import type { Ctx } from '../../../kernel/context.ts'
import { visibleOrder } from '../../orders/order/service.ts'
import { factsOf, visitsWith } from './queries.ts'

/**
 * How an order's defect stands to the legal limit, over all visits of its group; an order without a group is the only
 * visit. 404 outside the caller's scope.
 */
export async function readLegalClock(ctx: Ctx, order_id: number): Promise<LegalClockView> {
  await visibleOrder(ctx, order_id)
  const visits = await visitsWith(ctx, order_id)
  const own = visits.find((visit) => visit.order_id === order_id)
  const clock = legalClock(visits, ctx.clock(), zoneOf(own?.federal_state ?? null))
  return {
    ...clock,
    group_id: own?.group_id ?? null,
    title: own?.title ?? null,
    visits: visits.map((visit) => ({
      order_id: visit.order_id,
      os_number: visit.os_number,
      from: visit.from.toISOString(),
      until: visit.until?.toISOString() ?? null,
      problem_description: visit.problem_description,
    })),
    proposed: [],
    facts: await factsOf(
      ctx,
      visits.map((visit) => visit.order_id),
    ),
  }
}
