import { accessEnd, bySession, confirmInput, linkToken, passwordChange } from '@garantia/shared/auth/schema'
import { codeInput } from '@garantia/shared/auth/second-factor'
import { profileChange } from '@garantia/shared/users/schema'
import { anyone, router, signedIn } from '../../../http/trpc.ts'
import { beginTotp, confirmTotp, removeTotp, renewRecoveryCodes } from '../second-factor/service.ts'
import {
  changeMe,
  changeMyPassword,
  closeMyAccess,
  closeMySession,
  confirmSelf,
  leaveAccount,
  listMySessions,
  readFactors,
  readMe,
  undoLoginChange,
} from './service.ts'

export const accountRouter = router({
  me: signedIn.query(({ ctx: { ctx } }) => readMe(ctx)),
  change: signedIn
    .input(profileChange)
    .mutation(({ ctx: { ctx, token }, input }) => changeMe(ctx, input, token ?? '')),
  confirm: signedIn
    .input(confirmInput)
    .mutation(({ ctx: { ctx, token }, input }) => confirmSelf(ctx, input, token ?? '')),
  undoLogin: anyone.input(linkToken).mutation(({ ctx: { ctx }, input }) => undoLoginChange(ctx, input)),
  changePassword: signedIn
    .input(passwordChange)
    .mutation(({ ctx: { ctx, token }, input }) => changeMyPassword(ctx, input, token ?? '')),
  leave: signedIn.mutation(({ ctx: { ctx } }) => leaveAccount(ctx)),
  sessions: signedIn.query(({ ctx: { ctx, token } }) => listMySessions(ctx, token ?? '')),
  closeSession: signedIn
    .input(bySession)
    .mutation(({ ctx: { ctx }, input }) => closeMySession(ctx, input.id)),
  endAccess: signedIn.input(accessEnd).mutation(({ ctx: { ctx }, input }) => closeMyAccess(ctx, input)),
  factors: signedIn.query(({ ctx: { ctx } }) => readFactors(ctx)),
  beginTotp: signedIn.mutation(({ ctx: { ctx } }) => beginTotp(ctx)),
  confirmTotp: signedIn
    .input(codeInput)
    .mutation(({ ctx: { ctx, token }, input }) => confirmTotp(ctx, input.code, token ?? '')),
  renewRecoveryCodes: signedIn.mutation(({ ctx: { ctx } }) => renewRecoveryCodes(ctx)),
  removeTotp: signedIn.mutation(({ ctx: { ctx } }) => removeTotp(ctx)),
})
