import { ofOrder } from '@garantia/shared/evidence/schema'
import { router, signedIn } from '../../../http/trpc.ts'
import { liveAddress } from './service.ts'

export const liveRouter = router({
  address: signedIn.input(ofOrder).query(({ ctx: { ctx }, input }) => liveAddress(ctx, input.order_id)),
})
