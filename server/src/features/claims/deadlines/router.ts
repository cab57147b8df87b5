import { id } from '@garantia/shared/fields'
import { z } from 'zod'
import { router, signedIn } from '../../../http/trpc.ts'
import { readLegalClock } from './service.ts'

export const deadlinesRouter = router({
  legalClock: signedIn
    .input(z.object({ order_id: id }))
    .query(({ ctx: { ctx }, input }) => readLegalClock(ctx, input.order_id)),
})
