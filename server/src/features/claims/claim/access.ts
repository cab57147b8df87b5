import { notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { lockedOrder } from '../../orders/order/service.ts'
import { type Claim, findClaim } from './queries.ts'

const MISSING = 'Solicitação não encontrada'

/** The refusal of a claim that is absent or of another company, which is noted in the security log as its order's is. */
async function missingClaim(ctx: Ctx, id: number) {
  const foreign = await ctx.db
    .selectFrom('claims')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .select('order_id')
    .executeTakeFirst()
  if (foreign) ctx.securityLog.note(ctx, { kind: 'refused.foreign_order', order_id: foreign.order_id })
  return notFound(MISSING)
}

/** The claim's row. 404 when it is absent, its order was deleted, or it is outside the caller's scope. */
export async function visibleClaim(ctx: Ctx, id: number): Promise<Claim> {
  const claim = await findClaim(ctx, id).executeTakeFirst()
  if (!claim) throw await missingClaim(ctx, id)
  authorize(ctx.actor, 'claim.read', claim)
  return claim
}

/**
 * The same with its order, both locked until the transaction ends, the order first, as everything that changes an
 * order does. Also for a closed order: what happens to a claim does not change it.
 */
export async function lockedClaim(ctx: Ctx, id: number) {
  const { order_id } = await visibleClaim(ctx, id)
  const order = await lockedOrder(ctx, order_id)
  const claim = await findClaim(ctx, id).forNoKeyUpdate().executeTakeFirst()
  if (!claim) throw await missingClaim(ctx, id)
  return { claim, order }
}
