import { byId } from '@garantia/shared/fields'
import { router, signedIn } from '../../../http/trpc.ts'
import { listMails, readMail } from './service.ts'

export const mailRouter = router({
  list: signedIn.query(({ ctx: { ctx } }) => listMails(ctx)),
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readMail(ctx, input.id)),
})
