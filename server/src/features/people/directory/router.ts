import { linkToken } from '@garantia/shared/auth/schema'
import { directoryCookie } from '../../../http/directory-cookie.ts'
import { anyone, router } from '../../../http/trpc.ts'
import { redeemDirectorySignIn } from './service.ts'

export const directoryRouter = router({
  redeem: anyone.input(linkToken).mutation(({ ctx: { ctx, origin, cookies }, input }) => {
    const browser = directoryCookie(ctx.config).read(cookies)
    return redeemDirectorySignIn(ctx, { code: input.token, browser }, origin)
  }),
})
