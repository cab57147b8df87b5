import { bySession, passwordChange } from '@garantia/shared/auth/schema'
import { profileChange } from '@garantia/shared/users/schema'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  changeMe,
  changeMyPassword,
  closeMySession,
  leaveAccount,
  listMySessions,
  readMe,
} from './service.ts'

export const accountRouter = router({
  me: signedIn.query(({ ctx: { ctx } }) => readMe(ctx)),
  change: signedIn.input(profileChange).mutation(({ ctx: { ctx }, input }) => changeMe(ctx, input)),
  changePassword: signedIn
    .input(passwordChange)
    .mutation(({ ctx: { ctx, token }, input }) => changeMyPassword(ctx, input, token ?? '')),
  leave: signedIn.mutation(({ ctx: { ctx } }) => leaveAccount(ctx)),
  sessions: signedIn.query(({ ctx: { ctx, token } }) => listMySessions(ctx, token ?? '')),
  closeSession: signedIn
    .input(bySession)
    .mutation(({ ctx: { ctx }, input }) => closeMySession(ctx, input.id)),
})
