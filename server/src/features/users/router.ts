import { router, signedIn } from '../../http/trpc.ts'
import { readMe } from './service.ts'

export const usersRouter = router({
  me: signedIn.query(({ ctx: { ctx } }) => readMe(ctx)),
})
