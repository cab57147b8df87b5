import type { BulkDecision, BulkSubmission, ClaimBulk } from '@garantia/shared/claims/bulk'
import { invalid } from '@garantia/shared/errors'
import type { BulkResult } from '@garantia/shared/orders/bulk'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { seenBy } from '../../../kernel/scope.ts'
import { forEachOf } from '../../orders/list/service.ts'
import { decideClaim, linesOf, lockedClaim, submitClaim, visibleClaims } from '../claim/service.ts'

/** Sends several claims of one brand, as `submitClaim` does for one. 403 for who never sends; 422 for several brands. */
export function submitMany(ctx: Ctx, { ids, ...input }: BulkSubmission): Promise<BulkResult> {
  authorizeSome(ctx.actor, 'claim.send')
  return forEachClaim(ctx, ids, (id) => submitClaim(ctx, id, input))
}

/**
 * Records one answer to several claims of one brand, as `decideClaim` does for one: accepted and rejected are those of
 * all their lines. 403 for who never decides; 422 for several brands.
 */
export function decideMany(ctx: Ctx, { ids, ...input }: BulkDecision): Promise<BulkResult> {
  authorizeSome(ctx.actor, 'claim.decide')
  return forEachClaim(ctx, ids, (id) => inTransaction(ctx, (ctx) => decideWhole(ctx, id, input)))
}

async function decideWhole(ctx: Ctx, id: number, input: Omit<BulkDecision, 'ids'>) {
  const { answer, reason, evidence_category, ...about } = input
  if (answer === 'in_review' || answer === 'returned') return decideClaim(ctx, id, { ...about, answer })
  // Locked before its lines are read: they are answered as they are then.
  await lockedClaim(ctx, id)
  const lines = (await linesOf(ctx, [id])).map((line) => ({
    line_id: line.id,
    ...(answer === 'accepted' ? { authorised: line.claimed } : { authorised: 0, reason, evidence_category }),
  }))
  return decideClaim(ctx, id, { ...about, answer: 'decided', lines })
}

/** Both as one REST request. */
export function runClaimBulk(ctx: Ctx, { action, ids, ...input }: ClaimBulk): Promise<BulkResult> {
  if (action === 'submit') return submitMany(ctx, { ids, ...input })
  const { answer } = input
  if (!answer) throw invalid('Informe a resposta da marca', 'answer')
  return decideMany(ctx, { ids, ...input, answer })
}

/** Runs `act` for each claim in turn. 401 for an anonymous caller; 422 when the visible ones are of several brands. */
async function forEachClaim(ctx: Ctx, ids: readonly number[], act: (id: number) => Promise<unknown>) {
  authorize(ctx.actor, 'claim.list')
  const found = await visibleClaims(seenBy(ctx))
    .innerJoin('service_orders', 'service_orders.id', 'claims.order_id')
    .where(sql<boolean>`claims.id = any(${[...ids]}::bigint[])`)
    .select(['claims.id', 'os_number', 'claims.brand_id'])
    .execute()
  if (new Set(found.map(({ brand_id }) => brand_id)).size > 1)
    throw invalid('Escolha solicitações de uma só marca', 'ids')
  return forEachOf(ctx, ids, new Map(found.map(({ id, os_number }) => [id, os_number])), act)
}
