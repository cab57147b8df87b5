import { router, signedIn } from '../../../http/trpc.ts'
import { readBrandUsage, readUsage } from './service.ts'

export const quotaRouter = router({
  usage: signedIn.query(({ ctx: { ctx } }) => readUsage(ctx)),
  brands: signedIn.query(({ ctx: { ctx } }) => readBrandUsage(ctx)),
})
