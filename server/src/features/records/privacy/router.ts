import { accessFilter } from '@garantia/shared/privacy/access'
import { anonymiseInput, byRequest, subjectInput } from '@garantia/shared/privacy/subject'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  exportAddress,
  findSubject,
  listRequests,
  readAccesses,
  requestAnonymisation,
  requestExport,
} from './service.ts'

export const privacyRouter = router({
  accesses: signedIn.input(accessFilter).query(({ ctx: { ctx }, input }) => readAccesses(ctx, input)),
  /** Not a query: what is searched for does not stand in an address, which proxies write down. */
  find: signedIn.input(subjectInput).mutation(({ ctx: { ctx }, input }) => findSubject(ctx, input)),
  requests: signedIn.query(({ ctx: { ctx } }) => listRequests(ctx)),
  export: signedIn.input(subjectInput).mutation(({ ctx: { ctx }, input }) => requestExport(ctx, input)),
  /** Not a query: it asks for a recent sign-in, and its answer must not be kept. */
  address: signedIn.input(byRequest).mutation(({ ctx: { ctx }, input }) => exportAddress(ctx, input.id)),
  anonymise: signedIn
    .input(anonymiseInput)
    .mutation(({ ctx: { ctx }, input }) => requestAnonymisation(ctx, input)),
})
