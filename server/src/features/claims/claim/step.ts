import type { Claims } from '@garantia/migrations/schema'
import { type ClaimStep, stepRefusal } from '@garantia/shared/claims/steps'
import { conflict, invalid } from '@garantia/shared/errors'
import { isoDay, timeOfDay } from '@garantia/shared/format'
import type { Actor } from '@garantia/shared/policy'
import type { Updateable } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import type { Claim } from './queries.ts'

/** Who is written beside a step. */
export const personOf = (actor: Actor) => ({
  user_id: actor.kind === 'user' ? actor.id : null,
  actor_name: actor.kind === 'user' ? actor.name : 'Sistema',
})

/** 409 when the claim's state does not allow the step. */
export function checkStep(claim: Claim, step: ClaimStep) {
  const refusal = stepRefusal(claim, step)
  if (refusal) throw conflict(refusal)
}

/** 409 when the claim was changed since the caller read this version, naming who did it. */
export async function checkVersion(ctx: Ctx, claim: Claim, version: number | undefined) {
  if (version === undefined || version === claim.version) return
  const last = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', claim.order_id)
    .where('kind', 'like', 'claim.%')
    .select(['actor_name', 'at'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const at = timeOfDay(last?.at ?? claim.updated_at)
  throw conflict(`Esta solicitação foi alterada por ${last?.actor_name ?? 'outra pessoa'} às ${at}`)
}

/** By how much the clock of a caller may be ahead. */
const LEEWAY_MS = 5 * 60_000

/** When a step happened: now, or when the caller says, which is not to come and not before the day of `earliest`. */
export function momentOf(ctx: Ctx, given: string | undefined, field: string, earliest: Date | null = null) {
  const now = ctx.clock()
  const said = given === undefined ? now : new Date(given)
  const isAhead = said > now && said.getTime() - now.getTime() < LEEWAY_MS
  const at = isAhead ? now : said
  if (at > now) throw invalid('A data não pode estar no futuro', field)
  if (earliest && isoDay(at) < isoDay(earliest)) throw invalid('A data é anterior ao envio', field)
  return at
}

/** Writes what a step changes of a claim, as its next version. */
export const writeStep = (ctx: Ctx, id: number, columns: Updateable<Claims>) =>
  ctx.db
    .updateTable('claims')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1), updated_at: ctx.clock() }))
    .where('id', '=', id)
    .execute()
