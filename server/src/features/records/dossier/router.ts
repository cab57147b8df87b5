import { byFingerprint } from '@garantia/shared/dossier/proof'
import { ofOrder } from '@garantia/shared/evidence/schema'
import { anyone, router, signedIn } from '../../../http/trpc.ts'
import { confirmDossier, listDossiers, requestDossier } from './service.ts'

export const dossierRouter = router({
  list: signedIn.input(ofOrder).query(({ ctx: { ctx }, input }) => listDossiers(ctx, input.order_id)),
  build: signedIn.input(ofOrder).mutation(({ ctx: { ctx }, input }) => requestDossier(ctx, input.order_id)),
  confirm: anyone
    .input(byFingerprint)
    .query(({ ctx: { ctx }, input }) => confirmDossier(ctx, input.fingerprint)),
})
