import type { AuditEvent, AuditFilter } from '@garantia/shared/audit/schema'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { namesIn, newestEvents } from './queries.ts'

export {
  exportSecurityLog,
  forgetOldSecurityEntries,
  presentSecurityEntry,
  readSecurityLog,
  securityEntries,
} from './security-log.ts'

const PAGE = 25

/**
 * A page of the audit trail, newest first: changes of people, companies and brands, and sign-ins with their
 * origin. 403 unless superuser.
 */
export async function readAudit(ctx: Ctx, filter: AuditFilter) {
  authorize(ctx.actor, 'audit.read')
  const { limit = PAGE } = filter
  const rows = await newestEvents(ctx, filter, limit + 1)
  const events = rows.slice(0, limit).map(({ at, ...row }): AuditEvent => ({ ...row, at: at.toISOString() }))
  const next_cursor = rows.length > limit ? (events.at(-1)?.id ?? null) : null
  return { events, names: await namesIn(ctx, events), next_cursor }
}
