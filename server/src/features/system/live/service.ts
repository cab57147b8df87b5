import { notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { sign, signerOf } from '../../../kernel/signing.ts'
import { visibleOrder } from '../../orders/order/service.ts'

const subjectOf = (order_id: number) => `live/${order_id}`

/**
 * The address of the change notifications of an order. An EventSource cannot send a bearer header, so the
 * address is signed, for at most an hour; each new address is issued only after the permission was checked
 * again. 404 outside the caller's scope.
 */
export async function liveAddress(ctx: Ctx, order_id: number) {
  authorize(ctx.actor, 'order.read', await visibleOrder(ctx, order_id))
  const signature = sign(ctx.config.SIGNING_KEY, subjectOf(order_id), ctx.actor, ctx.clock())
  return { url: `/live/${order_id}/${signature}` }
}

/** Order and person of a signed address. 404 when the signature is wrong or expired, or the person was deactivated. */
export async function signedOrder(ctx: Ctx, id: string, signature: string) {
  const order_id = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
  const person = await signerOf(ctx, subjectOf(order_id), signature)
  if (person === null) throw notFound('Not Found')
  return { order_id, person }
}
