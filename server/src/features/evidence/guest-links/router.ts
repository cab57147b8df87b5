import { guestLinkInput } from '@garantia/shared/evidence/guest-link'
import { ofOrder } from '@garantia/shared/evidence/schema'
import { byId } from '@garantia/shared/fields'
import { router, signedIn } from '../../../http/trpc.ts'
import { listGuestLinks, makeGuestLink, revokeGuestLink } from './service.ts'

export const guestLinksRouter = router({
  list: signedIn.input(ofOrder).query(({ ctx: { ctx }, input }) => listGuestLinks(ctx, input.order_id)),
  make: signedIn.input(guestLinkInput).mutation(({ ctx: { ctx }, input }) => makeGuestLink(ctx, input)),
  revoke: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => revokeGuestLink(ctx, input.id)),
})
