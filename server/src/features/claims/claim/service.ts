import { centsOf } from '@garantia/shared/claims/money'
import type { ClaimInput, ClaimLineInput, ClaimView, OrderClaims } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import { stepRefusal } from '@garantia/shared/claims/steps'
import { appealableOf } from '@garantia/shared/claims/sums'
import { conflict, invalid } from '@garantia/shared/errors'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { violatedIndex } from '../../../kernel/database.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { seenBy } from '../../../kernel/scope.ts'
import { lockedOrder, visibleOrder } from '../../orders/order/service.ts'
import { visibleClaim } from './access.ts'
import { noteDue } from './due.ts'
import { presentClaims } from './present.ts'
import { claimsInOrder, findClaim, linesOf, listedClaims } from './queries.ts'

export { lockedClaim, visibleClaim } from './access.ts'
export { noteDue, noteDueOfBrand, noteDueOfOrder } from './due.ts'
export { presentRow } from './present.ts'
export { listedClaims, visibleClaims } from './queries.ts'

/**
 * Opens a claim of an order, closed or not, as a draft, and returns it. 404 outside the caller's scope; 403 without
 * permission; 409 when the order has a claim of type 1 already, or when the claim before allows no appeal or
 * supplement in its state; 422 when it is of another order, or an appeal claims what cannot be contested.
 */
export function openClaim(ctx: Ctx, order_id: number, input: ClaimInput): Promise<ClaimView> {
  authorizeSome(ctx.actor, 'claim.open')
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, order_id)
    authorize(ctx.actor, 'claim.open', order)
    const before = await claimsInOrder(ctx, order_id)
    await checkPrevious(ctx, order_id, input)
    const n = (before.at(-1)?.n ?? 0) + 1
    const { actor } = ctx
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
        created_by: actor.kind === 'user' ? actor.id : null,
        actor_name: actor.kind === 'user' ? actor.name : 'Sistema',
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
    await addLines(ctx, id, input.lines)
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

/** An appeal names lines of the claim before, each once, and claims at most what is missing of them or was taken back. */
async function checkPrevious(ctx: Ctx, order_id: number, { type, previous_id, lines }: ClaimInput) {
  const foreign = lines.findIndex((line) => type !== 'appeal' && line.previous_line_id != null)
  if (foreign >= 0) throw invalid('Só a reconsideração nomeia itens anteriores', 'lines', foreign)
  if (type === 'normal' || previous_id == null) return
  const previous = await findClaim(ctx, previous_id).executeTakeFirst()
  if (previous?.order_id !== order_id) throw invalid('Escolha uma solicitação desta OS', 'previous_id')
  const refusal = stepRefusal(previous, type)
  if (refusal) throw conflict(refusal)
  if (type !== 'appeal') return
  const former = new Map((await linesOf(ctx, [previous_id])).map((line) => [line.id, line]))
  for (const [index, { previous_line_id, claimed }] of lines.entries()) {
    const line = former.get(previous_line_id ?? 0)
    if (!line) throw invalid('Escolha um item da solicitação anterior, cada um uma vez', 'lines', index)
    former.delete(line.id)
    if (centsOf(claimed) > centsOf(appealableOf(line)))
      throw invalid('O valor passa do que falta deste item', 'lines', index, 'claimed')
  }
}

const addLines = async (ctx: Ctx, claim_id: number, lines: readonly ClaimLineInput[]) => {
  if (lines.length === 0) return
  const rows = lines.map((line, index) => ({
    claim_id,
    n: index + 1,
    kind: line.kind,
    previous_id: line.previous_line_id ?? null,
    description: line.description,
    claimed: line.claimed,
    part_number: line.kind === 'part' ? line.part_number : null,
    quantity: line.kind === 'part' ? line.quantity : null,
    is_causal: line.kind === 'part' && (line.is_causal ?? false),
    labour_code: line.kind === 'labour' ? line.labour_code : null,
    hours: line.kind === 'labour' ? line.hours : null,
    supplier: line.kind === 'third_party' ? (line.supplier ?? null) : null,
    document: line.kind === 'third_party' ? (line.document ?? null) : null,
  }))
  await ctx.db.insertInto('claim_lines').values(rows).execute()
}

async function viewOf(ctx: Ctx, id: number): Promise<ClaimView> {
  const row = await listedClaims(seenBy(ctx)).where('claims.id', '=', id).executeTakeFirstOrThrow()
  const [view] = await presentClaims(ctx, [row])
  if (!view) throw new Error('a claim that was read has a view')
  return view
}

/** A claim with its lines, sendings, answers and entries. 404 outside the caller's scope. */
export async function readClaim(ctx: Ctx, id: number): Promise<ClaimView> {
  await visibleClaim(ctx, id)
  return viewOf(ctx, id)
}

/** The claims of an order, oldest first, each as `readClaim` shows it. 404 outside the caller's scope. */
export async function claimsOfOrder(ctx: Ctx, order_id: number): Promise<OrderClaims> {
  await visibleOrder(ctx, order_id)
  const rows = await listedClaims(seenBy(ctx))
    .where('claims.order_id', '=', order_id)
    .orderBy('claims.n')
    .execute()
  const data = await presentClaims(ctx, rows)
  return { data, count: data.length }
}
