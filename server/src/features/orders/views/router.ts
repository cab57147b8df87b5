import { byId } from '@garantia/shared/fields'
import { ofList, viewInput } from '@garantia/shared/views/schema'
import { router, signedIn } from '../../../http/trpc.ts'
import { listViews, removeView, saveView } from './service.ts'

export const savedViewsRouter = router({
  list: signedIn.input(ofList).query(({ ctx: { ctx }, input }) => listViews(ctx, input.list)),
  save: signedIn.input(viewInput).mutation(({ ctx: { ctx }, input }) => saveView(ctx, input)),
  remove: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removeView(ctx, input.id)),
})
