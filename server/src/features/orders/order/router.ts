import { byId, id } from '@garantia/shared/fields'
import { historyFilter } from '@garantia/shared/orders/history'
import { orderEdit, orderInput, statusChange } from '@garantia/shared/orders/schema'
import { z } from 'zod'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  changeOrder,
  listTechnicians,
  openOrder,
  readHistory,
  removeOrder,
  setStatus,
  viewOrder,
} from './service.ts'

export const ordersRouter = router({
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => viewOrder(ctx, input.id)),
  open: signedIn.input(orderInput).mutation(({ ctx: { ctx }, input }) => openOrder(ctx, input)),
  change: signedIn.input(orderEdit).mutation(({ ctx: { ctx }, input }) => changeOrder(ctx, input)),
  setStatus: signedIn
    .input(byId.extend(statusChange.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...change } }) => setStatus(ctx, id, change)),
  remove: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removeOrder(ctx, input.id)),
  history: signedIn.input(historyFilter).query(({ ctx: { ctx }, input }) => readHistory(ctx, input)),
  technicians: signedIn
    .input(z.object({ company_id: id }))
    .query(({ ctx: { ctx }, input }) => listTechnicians(ctx, input.company_id)),
})
