import { archiveRequest } from '@garantia/shared/evidence/archive'
import { router, signedIn } from '../../../http/trpc.ts'
import { listArchives, requestArchive } from './service.ts'

export const archivesRouter = router({
  list: signedIn.query(({ ctx: { ctx } }) => listArchives(ctx)),
  request: signedIn
    .input(archiveRequest)
    .mutation(({ ctx: { ctx }, input }) => requestArchive(ctx, input.ids)),
})
