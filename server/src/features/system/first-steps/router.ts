import { router, signedIn } from '../../../http/trpc.ts'
import { readFirstSteps } from './service.ts'

export const firstStepsRouter = router({
  read: signedIn.query(({ ctx: { ctx } }) => readFirstSteps(ctx)),
})
