import { router, signedIn } from '../../../http/trpc.ts'
import { readDemo } from './service.ts'

export const demoRouter = router({
  read: signedIn.query(({ ctx: { ctx } }) => readDemo(ctx)),
})
