import { notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { isSigned, sign } from '../../../kernel/signing.ts'
import { visibleOrder } from '../../orders/order/service.ts'

const subjectOf = (order_id: number) => `live/${order_id}`

/**
 * Where a page hears that its order changed. An EventSource cannot send a bearer header, so the address is
 * signed, for an hour at most; whoever asks anew is looked at anew.
 */
export async function liveAddress(ctx: Ctx, order_id: number) {
  authorize(ctx.actor, 'order.read', await visibleOrder(ctx, order_id))
  return { url: `/live/${order_id}/${sign(ctx.config.SIGNING_KEY, subjectOf(order_id), ctx.clock())}` }
}

/** The order behind a signed address. */
export function signedOrder(ctx: Ctx, id: string, signature: string) {
  const order_id = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
  if (!isSigned(ctx.config.SIGNING_KEY, subjectOf(order_id), signature, ctx.clock()))
    throw notFound('Not Found')
  return order_id
}
