import { byId } from '@garantia/shared/fields'
import { viewInput } from '@garantia/shared/orders/views'
import { router, signedIn } from '../../../http/trpc.ts'
import { listViews, removeView, saveView } from './service.ts'

export const orderViewsRouter = router({
  list: signedIn.query(({ ctx: { ctx } }) => listViews(ctx)),
  save: signedIn.input(viewInput).mutation(({ ctx: { ctx }, input }) => saveView(ctx, input)),
  remove: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removeView(ctx, input.id)),
})
