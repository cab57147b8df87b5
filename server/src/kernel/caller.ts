import { AppError } from '@garantia/shared/errors'
import { authorize, type Person } from '@garantia/shared/policy'
import type { Ctx } from './context.ts'

/** The signed-in person. 401 for an anonymous caller and for the system. */
export function requireUser(ctx: Ctx): Person {
  authorize(ctx.actor, 'account.read')
  if (ctx.actor.kind !== 'user') throw new AppError('unauthenticated', 'Not authenticated')
  return ctx.actor
}
