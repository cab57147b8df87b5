import { loginInput, recoveryInput, resetInput, signUpInput } from '@garantia/shared/auth/schema'
import { anyone, router, signedIn } from '../../../http/trpc.ts'
import { recoverPassword, resetPassword, signIn, signInWays, signOut, signUp } from './service.ts'

export const authRouter = router({
  ways: anyone.query(({ ctx: { ctx } }) => signInWays(ctx)),
  login: anyone.input(loginInput).mutation(({ ctx: { ctx, origin }, input }) => signIn(ctx, input, origin)),
  logout: signedIn.mutation(({ ctx: { ctx, token } }) => signOut(ctx, token ?? '')),
  signUp: anyone.input(signUpInput).mutation(({ ctx: { ctx, origin }, input }) => signUp(ctx, input, origin)),
  recover: anyone
    .input(recoveryInput)
    .mutation(({ ctx: { ctx, origin }, input }) => recoverPassword(ctx, input.email, origin)),
  reset: anyone.input(resetInput).mutation(({ ctx: { ctx }, input }) => resetPassword(ctx, input)),
})
