import { byId } from '@garantia/shared/fields'
import { orderFilter, orderInput } from '@garantia/shared/orders/schema'
import { router, signedIn } from '../../http/trpc.ts'
import { listOrders, openOrder, readOrder } from './service.ts'

export const ordersRouter = router({
  list: signedIn.input(orderFilter).query(({ ctx: { ctx }, input }) => listOrders(ctx, input)),
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readOrder(ctx, input.id)),
  open: signedIn.input(orderInput).mutation(({ ctx: { ctx }, input }) => openOrder(ctx, input)),
})
