import { notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { isSigned, sign } from '../../../kernel/signing.ts'
import { visibleOrder } from '../../orders/order/service.ts'

const subjectOf = (order_id: number) => `live/${order_id}`

/**
 * The address of the change notifications of an order. An EventSource cannot send a bearer header, so the
 * address is signed, for at most an hour; each new address is issued only after the permission was checked
 * again. 404 outside the caller's scope.
 */
export async function liveAddress(ctx: Ctx, order_id: number) {
  authorize(ctx.actor, 'order.read', await visibleOrder(ctx, order_id))
  return { url: `/live/${order_id}/${sign(ctx.config.SIGNING_KEY, subjectOf(order_id), ctx.clock())}` }
}

/** The id of the order of a signed address. 404 when the signature is wrong or expired. */
export function signedOrder(ctx: Ctx, id: string, signature: string) {
  const order_id = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
  if (!isSigned(ctx.config.SIGNING_KEY, subjectOf(order_id), signature, ctx.clock()))
    throw notFound('Not Found')
  return order_id
}
