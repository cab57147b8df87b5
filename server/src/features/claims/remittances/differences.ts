import { centsOf, sumOf } from '@garantia/shared/claims/money'
import type {
  DifferenceFilter,
  DifferencePage,
  DifferenceResolution,
  RemittanceLineView,
} from '@garantia/shared/claims/remittance'
import { claimName } from '@garantia/shared/claims/state'
import { stepRefusal } from '@garantia/shared/claims/steps'
import { payableOf, receivedOf, sumsOf } from '@garantia/shared/claims/sums'
import { conflict, invalid, notFound } from '@garantia/shared/errors'
import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import { brl } from '@garantia/shared/format'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { inScope, scopeIn, scopeOf, within } from '../../../kernel/scope.ts'
import { isAnyOf } from '../../orders/list/service.ts'
import { linesOf, lockedClaim } from '../claim/service.ts'
import { assertWithinLimit, divided, insertEntries, type NewEntry, settle } from '../entries/service.ts'
import { isWaiting, lockRemittance, type RemittanceRow } from './queries.ts'
import { nameOf } from './running.ts'

const MISSING = 'Linha não encontrada'

/** Lines of remittances in the caller's scope that were not undone. */
const visibleLines = (ctx: Ctx) =>
  ctx.db
    .selectFrom('remittance_lines')
    .innerJoin('remittances', 'remittances.id', 'remittance_lines.remittance_id')
    .where('remittances.undone_at', 'is', null)
    .where(inScope(ctx.actor, 'remittance_lines.company_id'))

/** With whose remittance it is of, and the claim, if the caller may see that too. */
const shownLines = (ctx: Ctx) =>
  visibleLines(ctx)
    .innerJoin('companies', 'companies.id', 'remittances.company_id')
    .innerJoin('brands', 'brands.id', 'remittances.brand_id')
    .leftJoin('claims', (join) =>
      join
        .onRef('claims.id', '=', 'remittance_lines.claim_id')
        .on('claims.deleted_at', 'is', null)
        .on(within(scopeOf(ctx.actor), 'claims.company_id')),
    )
    .leftJoin('service_orders', 'service_orders.id', 'claims.order_id')
    .selectAll('remittance_lines')
    .select(['remittances.brand_id', 'remittances.number', 'remittances.filename'])
    .select(['remittances.company_id as paid_company_id', 'companies.trading_name', 'brands.display_name'])
    .select(['claims.id as seen_claim_id', 'claims.n', 'service_orders.os_number as claim_os_number'])
type ShownLine = Awaited<ReturnType<ReturnType<typeof shownLines>['execute']>>[number]

const present = (row: ShownLine): RemittanceLineView => ({
  id: row.id,
  remittance_id: row.remittance_id,
  remittance: row.number ?? row.filename,
  company: { id: row.paid_company_id, trading_name: row.trading_name },
  brand: { id: row.brand_id, display_name: row.display_name },
  line: row.line,
  brand_number: row.brand_number,
  os_number: row.os_number,
  chassis_end: row.chassis_end,
  document: row.document,
  amount: row.amount,
  outcome: row.outcome as RemittanceLineView['outcome'],
  claim_id: row.seen_claim_id,
  claim:
    row.claim_os_number !== null && row.n !== null
      ? claimName({ os_number: row.claim_os_number, n: row.n })
      : null,
  expected: row.expected,
  difference: row.difference as RemittanceLineView['difference'],
  resolution: row.resolution as RemittanceLineView['resolution'],
  resolution_note: row.resolution_note,
  resolved_at: row.resolved_at?.toISOString() ?? null,
  resolved_by_name: row.resolved_by_name,
})

/** The queue: lines that do not match and wait for a person, of all remittances or one, oldest first. 403 without permission. */
export async function listDifferences(ctx: Ctx, filter: DifferenceFilter): Promise<DifferencePage> {
  authorize(ctx.actor, 'remittance.list')
  const { skip = 0, limit = DEFAULT_LIMIT, company_id, brand_id, remittance_id } = filter
  const waiting = (query: ReturnType<typeof visibleLines>) =>
    query
      .where(isWaiting)
      .where(within(scopeIn(ctx.actor, company_id), 'remittance_lines.company_id'))
      .$if(brand_id !== undefined, (query) => query.where(isAnyOf('remittances.brand_id', brand_id ?? [])))
      .$if(remittance_id !== undefined, (query) =>
        query.where('remittance_lines.remittance_id', '=', remittance_id ?? 0),
      )
  const ids = waiting(visibleLines(ctx)).select('remittance_lines.id')
  const rows = await shownLines(ctx)
    .where('remittance_lines.id', 'in', ids.orderBy('remittance_lines.id').offset(skip).limit(limit))
    .orderBy('remittance_lines.id')
    .execute()
  const { total } = await waiting(visibleLines(ctx))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { items: rows.map(present), total, skip, limit }
}

/**
 * Books a difference, books it and writes off what is missing of the authorised amount, or leaves it, with who, when
 * and why. 404 outside the caller's scope; 403 without permission, or above the limit of write-offs; 409 when it was
 * resolved, or the claim's state allows no such entry; 422 without a claim to book it on, or for one of another brand.
 */
export function resolveDifference(
  ctx: Ctx,
  id: number,
  resolution: DifferenceResolution,
): Promise<RemittanceLineView> {
  authorizeSome(ctx.actor, 'remittance.import')
  return inTransaction(ctx, async (ctx) => {
    const found = await shownLines(ctx).where('remittance_lines.id', '=', id).executeTakeFirst()
    if (!found) throw notFound(MISSING)
    authorize(ctx.actor, 'remittance.import', found)
    const remittance = await lockRemittance(ctx, found.remittance_id)
    const line = await shownLines(ctx).where('remittance_lines.id', '=', id).executeTakeFirst()
    if (!line) throw notFound(MISSING)
    if (line.outcome === 'matched' || line.resolved_at) throw conflict('Esta linha já foi resolvida.')
    const claim_id =
      resolution.resolution === 'ignored' ? line.claim_id : await book(ctx, remittance, line, resolution)
    const { actor } = ctx
    await ctx.db
      .updateTable('remittance_lines')
      .set({ claim_id, resolution: resolution.resolution, resolution_note: resolution.note })
      .set({ resolved_at: ctx.clock() })
      .set({
        resolved_by: actor.kind === 'user' ? actor.id : null,
        resolved_by_name: actor.kind === 'user' ? actor.name : 'Sistema',
      })
      .where('id', '=', id)
      .execute()
    if (actor.kind === 'user')
      await recordEvent(ctx, {
        subject: 'user',
        subject_id: actor.id,
        kind: 'remittance.resolved',
        changes: {
          remittance: nameOf(remittance),
          line: line.line,
          resolution: resolution.resolution,
          amount: line.amount,
          reason: resolution.note,
        },
      })
    return present(await shownLines(ctx).where('remittance_lines.id', '=', id).executeTakeFirstOrThrow())
  })
}

/** Books a line on its claim, or on the one that the person names, whose id is returned. */
async function book(
  ctx: Ctx,
  remittance: RemittanceRow,
  { id, amount, seen_claim_id }: ShownLine,
  { resolution, claim_id = seen_claim_id ?? undefined, note }: DifferenceResolution,
) {
  if (claim_id === undefined) throw invalid('Escolha a solicitação desta linha', 'claim_id')
  const { claim, order } = await lockedClaim(ctx, claim_id)
  if (claim.brand_id !== remittance.brand_id) throw invalid('A solicitação é de outra marca', 'claim_id')
  const isDebit = amount < 0
  authorize(ctx.actor, isDebit ? 'claim.debit' : 'claim.pay', claim)
  const refusal = stepRefusal(claim, isDebit ? 'debit' : 'pay')
  if (refusal) throw conflict(refusal)
  const name = claimName({ os_number: order.os_number, n: claim.n })
  const common = { claim: name, booked_on: remittance.paid_on, remittance: nameOf(remittance), reason: note }
  const entry = { booked_on: remittance.paid_on ?? '', reason: note, remittance_line_id: id }
  const before = await linesOf(ctx, [claim_id])
  if (isDebit) {
    const most = receivedOf(sumsOf(before))
    if (centsOf(-amount) > centsOf(most))
      throw conflict(`O estorno passa do que foi pago desta solicitação: ${brl(most)}.`)
    if (resolution === 'written_off') throw invalid('Um estorno não tem resto a baixar', 'resolution')
    await insertEntries(ctx, divided('debit', -amount, before, entry))
    await settle(ctx, [claim_id])
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: claim.order_id,
      kind: 'claim.debited',
      changes: { ...common, amount: -amount },
    })
    return claim_id
  }
  await insertEntries(ctx, divided('payment', amount, before, entry))
  await recordEvent(ctx, {
    subject: 'order',
    subject_id: claim.order_id,
    kind: 'claim.paid',
    changes: { ...common, amount },
  })
  if (resolution === 'written_off') {
    const rest = (await linesOf(ctx, [claim_id])).flatMap((line): NewEntry[] => {
      const missing = payableOf(line)
      return missing > 0 ? [{ ...entry, claim_id, line_id: line.id, kind: 'write_off', amount: missing }] : []
    })
    if (rest.length === 0) throw conflict('Nada falta do valor autorizado: lance sem dar baixa.')
    const written = sumOf(rest.map((one) => one.amount))
    authorize(ctx.actor, 'claim.write-off', claim)
    await assertWithinLimit(ctx, claim, written)
    await insertEntries(ctx, rest)
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: claim.order_id,
      kind: 'claim.written_off',
      changes: { ...common, amount: written },
    })
  }
  await settle(ctx, [claim_id])
  return claim_id
}
