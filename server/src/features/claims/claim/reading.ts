import type { ClaimView, OrderClaims } from '@garantia/shared/claims/schema'
import type { Ctx } from '../../../kernel/context.ts'
import { seenBy } from '../../../kernel/scope.ts'
import { visibleOrder } from '../../orders/order/service.ts'
import { visibleClaim } from './access.ts'
import { presentClaims } from './present.ts'
import { listedClaims } from './queries.ts'

/** A claim that the caller sees, as its page shows it. */
export async function viewOf(ctx: Ctx, id: number): Promise<ClaimView> {
  const row = await listedClaims(seenBy(ctx)).where('claims.id', '=', id).executeTakeFirstOrThrow()
  const [view] = await presentClaims(ctx, [row])
  if (!view) throw new Error('a claim that was read has a view')
  return view
}

/** A claim with its lines, sendings, answers and entries. 404 outside the caller's scope. */
export async function readClaim(ctx: Ctx, id: number): Promise<ClaimView> {
  await visibleClaim(ctx, id)
  return viewOf(ctx, id)
}

/** The claims of an order, oldest first, each as `readClaim` shows it. 404 outside the caller's scope. */
export async function claimsOfOrder(ctx: Ctx, order_id: number): Promise<OrderClaims> {
  await visibleOrder(ctx, order_id)
  const rows = await listedClaims(seenBy(ctx))
    .where('claims.order_id', '=', order_id)
    .orderBy('claims.n')
    .execute()
  const data = await presentClaims(ctx, rows)
  return { data, count: data.length }
}
