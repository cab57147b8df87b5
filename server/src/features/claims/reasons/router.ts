import { router, signedIn } from '../../../http/trpc.ts'
import { proposeRules } from './service.ts'

export const reasonsRouter = router({
  proposals: signedIn.query(({ ctx: { ctx } }) => proposeRules(ctx)),
})
