import type { SecurityKind } from '@garantia/shared/audit/security'
import { CONFIRM_NEEDED } from '@garantia/shared/auth/second-factor'
import type { ErrorCode } from '@garantia/shared/errors'
import { NOT_BY_TOKEN } from '@garantia/shared/policy'
import type { Ctx } from '../kernel/context.ts'
import { refusalFrom } from './errors.ts'

const KIND: Partial<Record<ErrorCode, SecurityKind>> = {
  forbidden: 'refused.permission',
  too_many: 'refused.limit',
}

/** Notes in the security log that a call was refused for want of permission or for its number; `call` as routed. */
export function noteRefusal(ctx: Ctx, error: unknown, call: string) {
  const refusal = refusalFrom(error)
  const kind = refusal && KIND[refusal.code]
  // Asking for the password again is no refusal.
  if (!kind || refusal.detail === CONFIRM_NEEDED) return
  const isByToken = refusal.detail === NOT_BY_TOKEN
  ctx.securityLog.note(ctx, { kind: isByToken ? 'refused.token_scope' : kind, details: { call } })
}
