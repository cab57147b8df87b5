import { router, signedIn } from '../../../http/trpc.ts'
import { readUsage } from './service.ts'

export const quotaRouter = router({
  usage: signedIn.query(({ ctx: { ctx } }) => readUsage(ctx)),
})
