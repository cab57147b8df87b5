import { byId } from '@garantia/shared/fields'
import { apiTokenInput } from '@garantia/shared/tokens/schema'
import { router, signedIn } from '../../../http/trpc.ts'
import { createToken, listTokens, revokeToken } from './service.ts'

export const tokensRouter = router({
  list: signedIn.query(({ ctx: { ctx } }) => listTokens(ctx)),
  open: signedIn.input(apiTokenInput).mutation(({ ctx: { ctx }, input }) => createToken(ctx, input)),
  revoke: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => revokeToken(ctx, input.id)),
})
