import { linkToken } from '@garantia/shared/auth/schema'
import { anyone, router } from '../../../http/trpc.ts'
import { redeemDirectorySignIn } from './service.ts'

export const directoryRouter = router({
  redeem: anyone
    .input(linkToken)
    .mutation(({ ctx: { ctx, origin }, input }) => redeemDirectorySignIn(ctx, input.token, origin)),
})
