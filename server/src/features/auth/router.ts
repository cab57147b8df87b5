import { loginInput } from '@garantia/shared/auth/schema'
import { anyone, router, signedIn } from '../../http/trpc.ts'
import { signIn, signOut } from './service.ts'

export const authRouter = router({
  login: anyone.input(loginInput).mutation(({ ctx: { ctx, origin }, input }) => signIn(ctx, input, origin)),
  logout: signedIn.mutation(({ ctx: { ctx, token } }) => signOut(ctx, token ?? '')),
})
