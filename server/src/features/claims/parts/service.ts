import {
  type PartChange,
  type PartReturns,
  type PartReturnView,
  partIssue,
} from '@garantia/shared/claims/parts'
import { claimName } from '@garantia/shared/claims/state'
import { conflict, invalid, notFound } from '@garantia/shared/errors'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { differences, recordEvent } from '../../../kernel/events.ts'
import { lockedOrder } from '../../orders/order/service.ts'
import { visibleClaim } from '../claim/service.ts'
import { type PartRow, visibleParts } from './queries.ts'

const MISSING = 'Peça não encontrada'

/** The part as callers get it; its label leads to the claims of its order. */
const present = (ctx: Ctx, { company_id: _, n: __, ...row }: PartRow): PartReturnView => ({
  ...row,
  part_number: row.part_number ?? '',
  quantity: row.quantity ?? 1,
  label: `${ctx.config.app_url}/os/${row.order_id}?tab=garantia&peca=${row.id}`,
})

/** The replaced parts of a claim that was sent, in the order of its lines. 404 outside the caller's scope. */
export async function partsOfClaim(ctx: Ctx, claim_id: number): Promise<PartReturns> {
  await visibleClaim(ctx, claim_id)
  const rows = await visibleParts(ctx).where('claims.id', '=', claim_id).orderBy('claim_lines.n').execute()
  return { data: rows.map((row) => present(ctx, row)), count: rows.length }
}

const partOf = async (ctx: Ctx, id: number) => {
  const row = await visibleParts(ctx).where('part_returns.id', '=', id).executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return row
}

/**
 * Changes where a replaced part lies, until when, and what the invoice of its return needs; no invoice is issued. Also
 * for a closed order. 403 without permission; 404 outside the caller's scope; 409 when `version` is outdated; 422 when a
 * part is sent or received without its day, or received before it was sent.
 */
export function changePart(ctx: Ctx, { id, version, ...change }: PartChange): Promise<PartReturnView> {
  authorizeSome(ctx.actor, 'part.change')
  return inTransaction(ctx, async (ctx) => {
    const { order_id } = await partOf(ctx, id)
    await lockedOrder(ctx, order_id)
    // Read again under the lock.
    const before = await partOf(ctx, id)
    authorize(ctx.actor, 'part.change', before)
    if (version !== undefined && version !== before.version)
      throw conflict('A peça foi alterada por outra pessoa. Confira e salve de novo.')
    const next = { ...before, ...withoutAbsent(change) }
    const issue = partIssue(next)
    if (issue) throw invalid(issue.message, issue.field)
    const changes = differences<object>(before, change)
    if (!changes) return present(ctx, before)
    await ctx.db
      .updateTable('part_returns')
      .set((eb) => ({
        ...(withoutAbsent(change) as object),
        ...('due_on' in changes && { is_due_typed: true }),
        version: eb('version', '+', 1),
        updated_at: ctx.clock(),
      }))
      .where('id', '=', id)
      .execute()
    const { state, note, ...others } = changes as { state?: unknown; note?: unknown }
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'claim.part',
      changes: {
        claim: claimName(before),
        part: before.part_number,
        ...(state !== undefined && { part_state: state }),
        ...others,
        ...(note !== undefined && { part_note: note }),
      },
    })
    return present(ctx, await partOf(ctx, id))
  })
}

const withoutAbsent = <T extends object>(change: T) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>
