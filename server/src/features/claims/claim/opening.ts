import type { AppealInput, ClaimEdit, ClaimInput, ClaimView } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import { conflict } from '@garantia/shared/errors'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { violatedIndex } from '../../../kernel/database.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { lockedOrder } from '../../orders/order/service.ts'
import { lockedClaim, visibleClaim } from './access.ts'
import { noteDue } from './due.ts'
import { addLines, carriedLines, checkPrevious } from './lines.ts'
import { claimsInOrder } from './queries.ts'
import { viewOf } from './reading.ts'
import { checkStep, checkVersion, personOf, writeStep } from './step.ts'

/**
 * Opens a claim of an order, closed or not, as a draft, and returns it; an appeal without lines
 * carries over all that can be contested. 404 outside the caller's scope; 403 without
 * permission; 409 when the order has a claim of type 1 already, or when the claim before allows no appeal or
 * supplement in its state; 422 when it is of another order, or an appeal claims what cannot be contested.
 */
export function openClaim(ctx: Ctx, order_id: number, input: ClaimInput): Promise<ClaimView> {
  authorizeSome(ctx.actor, 'claim.open')
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, order_id)
    authorize(ctx.actor, 'claim.open', order)
    const before = await claimsInOrder(ctx, order_id)
    const isCarried = input.type === 'appeal' && input.lines.length === 0
    await checkPrevious(ctx, order_id, input)
    const lines = isCarried ? await carriedLines(ctx, input.previous_id ?? 0) : input.lines
    const n = (before.at(-1)?.n ?? 0) + 1
    const { id } = await ctx.db
      .insertInto('claims')
      .values({
        order_id,
        n,
        type: input.type,
        previous_id: input.previous_id ?? null,
        company_id: order.company_id,
        brand_id: order.brand_id,
        note: input.note ?? null,
        created_by: personOf(ctx.actor).user_id,
        actor_name: personOf(ctx.actor).actor_name,
        created_at: ctx.clock(),
        updated_at: ctx.clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        if (violatedIndex(error) === 'claims_first')
          throw conflict('Esta OS já tem uma solicitação normal. Abra uma reconsideração ou um complemento.')
        throw error
      })
    await addLines(ctx, id, lines)
    await noteDue(ctx, id)
    const view = await viewOf(ctx, id)
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'claim.opened',
      changes: { claim: claimName(view), claim_type: input.type, claimed: view.claimed },
    })
    return view
  })
}

/**
 * Opens an appeal of a claim, as `openClaim` does; without lines, all that can be contested is carried over. 404
 * outside the caller's scope, 403 without permission.
 */
export async function appealClaim(ctx: Ctx, previous_id: number, { note, lines = [] }: AppealInput) {
  authorizeSome(ctx.actor, 'claim.open')
  const { order_id } = await visibleClaim(ctx, previous_id)
  return openClaim(ctx, order_id, { type: 'appeal', previous_id, note, lines })
}

/**
 * Changes a draft; lines, when given, replace all. 404 outside the caller's scope; 403 without permission; 409 when it
 * is no draft, or `version` is outdated; 422 when an appeal claims what cannot be contested.
 */
export function changeClaim(ctx: Ctx, { id, version, change }: ClaimEdit): Promise<ClaimView> {
  authorizeSome(ctx.actor, 'claim.open')
  return inTransaction(ctx, async (ctx) => {
    const { claim, order } = await lockedClaim(ctx, id)
    authorize(ctx.actor, 'claim.open', claim)
    await checkVersion(ctx, claim, version)
    checkStep(claim, 'change')
    const { note = claim.note, lines } = change
    if (lines) {
      await checkPrevious(ctx, claim.order_id, { ...claim, lines })
      await ctx.db.deleteFrom('claim_lines').where('claim_id', '=', id).execute()
      await addLines(ctx, id, lines)
    }
    if (lines || note !== claim.note) await writeStep(ctx, id, { note })
    const view = await viewOf(ctx, id)
    if (lines || note !== claim.note)
      await recordEvent(ctx, {
        subject: 'order',
        subject_id: order.id,
        kind: 'claim.changed',
        changes: {
          claim: claimName(view),
          ...(view.claimed !== claim.claimed && { claimed: [claim.claimed, view.claimed] }),
        },
      })
    return view
  })
}
