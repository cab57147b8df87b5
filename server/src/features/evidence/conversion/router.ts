import { marksInput } from '@garantia/shared/evidence/marks'
import { forceFlag, ofOrder, rotationInput } from '@garantia/shared/evidence/schema'
import { byId, id } from '@garantia/shared/fields'
import { bulkConvert } from '@garantia/shared/orders/bulk'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  convertMany,
  markPhoto,
  readConversionReport,
  readConversionState,
  requestAllConversions,
  requestConversion,
  rotatePhoto,
} from './service.ts'

const ofFile = forceFlag.extend({ evidence_id: id })

export const conversionRouter = router({
  convert: signedIn
    .input(ofFile)
    .mutation(({ ctx: { ctx }, input }) => requestConversion(ctx, input.evidence_id, input.force)),
  convertAll: signedIn
    .input(ofOrder.extend(forceFlag.shape))
    .mutation(({ ctx: { ctx }, input }) => requestAllConversions(ctx, input.order_id, input.force)),
  convertMany: signedIn.input(bulkConvert).mutation(({ ctx: { ctx }, input }) => convertMany(ctx, input.ids)),
  turn: signedIn
    .input(byId.extend(rotationInput.shape))
    .mutation(({ ctx: { ctx }, input }) => rotatePhoto(ctx, input.id, input.rotation)),
  mark: signedIn
    .input(byId.extend(marksInput.shape))
    .mutation(({ ctx: { ctx }, input }) => markPhoto(ctx, input.id, input)),
  status: signedIn
    .input(ofFile)
    .query(({ ctx: { ctx }, input }) => readConversionState(ctx, input.evidence_id)),
  report: signedIn
    .input(ofOrder)
    .query(({ ctx: { ctx }, input }) => readConversionReport(ctx, input.order_id)),
})
