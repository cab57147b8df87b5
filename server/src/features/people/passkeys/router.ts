import { passkeyAnswer, passkeyInput } from '@garantia/shared/auth/second-factor'
import { byId } from '@garantia/shared/fields'
import { anyone, router, signedIn } from '../../../http/trpc.ts'
import {
  addPasskey,
  askForPasskey,
  beginPasskey,
  confirmWithPasskey,
  removePasskey,
  signInWithPasskey,
} from './service.ts'

export const passkeysRouter = router({
  begin: signedIn.mutation(({ ctx: { ctx } }) => beginPasskey(ctx)),
  add: signedIn
    .input(passkeyInput)
    .mutation(({ ctx: { ctx, token }, input }) => addPasskey(ctx, input, token ?? '')),
  remove: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removePasskey(ctx, input.id)),
  ask: anyone.mutation(({ ctx: { ctx, origin } }) => askForPasskey(ctx, origin)),
  signIn: anyone
    .input(passkeyAnswer)
    .mutation(({ ctx: { ctx, origin }, input }) => signInWithPasskey(ctx, input, origin)),
  confirm: signedIn
    .input(passkeyAnswer)
    .mutation(({ ctx: { ctx, token }, input }) => confirmWithPasskey(ctx, input, token ?? '')),
})
