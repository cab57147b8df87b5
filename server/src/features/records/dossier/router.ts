import { ofOrder } from '@garantia/shared/evidence/schema'
import { router, signedIn } from '../../../http/trpc.ts'
import { listDossiers, requestDossier } from './service.ts'

export const dossierRouter = router({
  list: signedIn.input(ofOrder).query(({ ctx: { ctx }, input }) => listDossiers(ctx, input.order_id)),
  build: signedIn.input(ofOrder).mutation(({ ctx: { ctx }, input }) => requestDossier(ctx, input.order_id)),
})
