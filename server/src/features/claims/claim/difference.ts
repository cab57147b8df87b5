import type { ClaimDifference } from '@garantia/shared/claims/schema'
import { notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { visibleOrder } from '../../orders/order/service.ts'
import { differenceSinceDossier } from '../../records/dossier/service.ts'
import { visibleClaim } from './access.ts'

const NEVER_SENT = 'Nenhum dossiê foi enviado com esta solicitação'

/**
 * How the order and its package differ now from the dossier that went along last: of the claim itself once it was
 * sent, else of the one before. 404 outside the caller's scope, or when no dossier went along.
 */
export async function differenceSince(ctx: Ctx, id: number): Promise<ClaimDifference> {
  const claim = await visibleClaim(ctx, id)
  authorize(ctx.actor, 'evidence.read', await visibleOrder(ctx, claim.order_id))
  const sent = await ctx.db
    .selectFrom('claim_submissions')
    .where('claim_id', 'in', claim.sent_at ? [id] : [id, claim.previous_id ?? id])
    .select('dossier_n')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const found = sent && (await differenceSinceDossier(ctx, claim.order_id, claim.company_id, sent.dossier_n))
  if (!found) throw notFound(NEVER_SENT)
  return found
}
