import { auditFilter } from '@garantia/shared/audit/schema'
import { router, signedIn } from '../../../http/trpc.ts'
import { readAudit } from './service.ts'

export const auditRouter = router({
  list: signedIn.input(auditFilter).query(({ ctx: { ctx }, input }) => readAudit(ctx, input)),
})
