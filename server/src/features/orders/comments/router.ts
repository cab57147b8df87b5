import { byId } from '@garantia/shared/fields'
import { commentFilter, commentInput } from '@garantia/shared/orders/comments'
import { router, signedIn } from '../../../http/trpc.ts'
import { comment, listComments, listMentionable } from './service.ts'

export const commentsRouter = router({
  list: signedIn.input(commentFilter).query(({ ctx: { ctx }, input }) => listComments(ctx, input)),
  add: signedIn.input(commentInput).mutation(({ ctx: { ctx }, input }) => comment(ctx, input)),
  people: signedIn.input(byId).query(({ ctx: { ctx }, input }) => listMentionable(ctx, input.id)),
})
