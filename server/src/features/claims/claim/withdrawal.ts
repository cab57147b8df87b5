import type { ClaimReason, ClaimView } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { lockedClaim } from './access.ts'
import { carryBack } from './carrying.ts'
import { noteDue } from './due.ts'
import { viewOf } from './reading.ts'
import { checkStep, writeStep } from './step.ts'

/**
 * Withdraws a claim that the brand has not decided, for good; what an appeal had carried over is expected of the
 * claim before again. 404 outside the caller's scope; 403 without permission; 409 when its state does not allow it.
 */
export function withdrawClaim(ctx: Ctx, id: number, { reason }: ClaimReason): Promise<ClaimView> {
  authorizeSome(ctx.actor, 'claim.withdraw')
  return inTransaction(ctx, async (ctx) => {
    const { claim, order } = await lockedClaim(ctx, id)
    authorize(ctx.actor, 'claim.withdraw', claim)
    checkStep(claim, 'withdraw')
    await writeStep(ctx, id, { state: 'withdrawn', withdrawn_at: ctx.clock() })
    await noteDue(ctx, id)
    const view = await viewOf(ctx, id)
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order.id,
      kind: 'claim.withdrawn',
      changes: { claim: claimName(view), reason },
    })
    await carryBack(ctx, claim, { os_number: order.os_number, reason })
    return view
  })
}
