import { partChange } from '@garantia/shared/claims/parts'
import { id } from '@garantia/shared/fields'
import { z } from 'zod'
import { router, signedIn } from '../../../http/trpc.ts'
import { changePart, partsOfClaim } from './service.ts'

export const partsRouter = router({
  ofClaim: signedIn
    .input(z.object({ claim_id: id }))
    .query(({ ctx: { ctx }, input }) => partsOfClaim(ctx, input.claim_id)),
  change: signedIn.input(partChange).mutation(({ ctx: { ctx }, input }) => changePart(ctx, input)),
})
