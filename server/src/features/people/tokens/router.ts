import { byId } from '@garantia/shared/fields'
import { apiTokenInput } from '@garantia/shared/tokens/schema'
import { router, signedIn } from '../../../http/trpc.ts'
import { listTokens, openToken, revokeToken } from './service.ts'

export const tokensRouter = router({
  list: signedIn.query(({ ctx: { ctx } }) => listTokens(ctx)),
  open: signedIn.input(apiTokenInput).mutation(({ ctx: { ctx }, input }) => openToken(ctx, input)),
  revoke: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => revokeToken(ctx, input.id)),
})
