import { auditFilter } from '@garantia/shared/audit/schema'
import { securityFilter } from '@garantia/shared/audit/security'
import { router, signedIn } from '../../../http/trpc.ts'
import { readAudit, readSecurityLog } from './service.ts'

export const auditRouter = router({
  list: signedIn.input(auditFilter).query(({ ctx: { ctx }, input }) => readAudit(ctx, input)),
  security: signedIn.input(securityFilter).query(({ ctx: { ctx }, input }) => readSecurityLog(ctx, input)),
})
