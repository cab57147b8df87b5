import { amountOf, centsOf } from '@garantia/shared/claims/money'
import type { RemittanceReason, RemittanceView } from '@garantia/shared/claims/remittance'
import { claimName } from '@garantia/shared/claims/state'
import { conflict } from '@garantia/shared/errors'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent, recordEvents } from '../../../kernel/events.ts'
import { type ClaimLine, linesOf } from '../claim/service.ts'
import { insertEntries, type NewEntry, settle } from '../entries/service.ts'
import { findShown, lockAll, lockRemittance } from './queries.ts'
import { nameOf } from './running.ts'
import { readRemittance } from './view.ts'

interface BookedEntry extends NewEntry {
  id: number
  order_id: number
  os_number: string
  n: number
}
/** The entries that a remittance has made and nobody has reversed. */
async function entriesInForce(ctx: Ctx, id: number) {
  const { rows } = await sql<BookedEntry>`
    select entry.id, entry.claim_id, entry.line_id, entry.kind, entry.amount, entry.booked_on::text,
      entry.remittance_line_id, claims.order_id, claims.n, service_orders.os_number
    from remittance_lines
    join claim_entries entry on entry.remittance_line_id = remittance_lines.id
    join claims on claims.id = entry.claim_id
    join service_orders on service_orders.id = claims.order_id
    where remittance_lines.remittance_id = ${id} and entry.corrects_id is null
      and not exists (select from claim_entries reversal where reversal.corrects_id = entry.id)
    order by entry.id`.execute(ctx.db)
  return rows
}

/**
 * Takes back everything that a remittance has booked, with entries of the negative amounts, and what people have
 * booked of its differences. Its file may be sent again. 404 outside the caller's scope; 403 without permission; 409
 * when it is not booked, was undone, or when a payment of it was debited since.
 */
export function undoRemittance(ctx: Ctx, id: number, { reason }: RemittanceReason): Promise<RemittanceView> {
  authorizeSome(ctx.actor, 'remittance.import')
  return inTransaction(ctx, async (ctx) => {
    const found = await findShown(ctx, id)
    authorize(ctx.actor, 'remittance.import', found)
    const remittance = await lockRemittance(ctx, id)
    if (remittance.status === 'undone') throw conflict('Este demonstrativo já foi desfeito.')
    if (remittance.status !== 'done') throw conflict('Só se desfaz um demonstrativo que foi importado.')
    const booked = await entriesInForce(ctx, id)
    await lockAll(
      ctx,
      booked.map(({ claim_id, order_id }) => ({ id: claim_id, order_id })),
    )
    // Somebody may have corrected one before the lock.
    const entries = await entriesInForce(ctx, id)
    const claims = new Map(entries.map((entry) => [entry.claim_id, entry]))
    await assertNotDebited(ctx, entries, claims)
    await insertEntries(
      ctx,
      entries.map(({ id: corrects_id, claim_id, line_id, kind, amount, booked_on, remittance_line_id }) => ({
        ...{ claim_id, line_id, kind, booked_on, reason, corrects_id },
        amount: -amount,
        remittance_line_id: remittance_line_id ?? null,
      })),
    )
    if (claims.size > 0) await settle(ctx, [...claims.keys()])
    const name = nameOf(remittance)
    await recordEvents(
      ctx,
      [...Map.groupBy(entries, ({ claim_id, kind }) => `${claim_id} ${kind}`).values()].flatMap((group) => {
        const [first] = group
        const amount = amountOf(group.reduce((sum, entry) => sum + centsOf(entry.amount), 0))
        return first
          ? [
              {
                subject: 'order' as const,
                subject_id: first.order_id,
                kind: 'claim.corrected',
                changes: { claim: claimName(first), entry: first.kind, amount, reason, remittance: name },
              },
            ]
          : []
      }),
    )
    const now = ctx.clock()
    const { actor } = ctx
    await ctx.db
      .updateTable('remittances')
      .set({
        status: 'undone',
        undone_at: now,
        updated_at: now,
        undo_reason: reason,
        content: null,
        rows: null,
      })
      .set({
        undone_by: actor.kind === 'user' ? actor.id : null,
        undone_by_name: actor.kind === 'user' ? actor.name : 'Sistema',
      })
      .where('id', '=', id)
      .execute()
    if (actor.kind === 'user')
      await recordEvent(ctx, {
        subject: 'user',
        subject_id: actor.id,
        kind: 'remittance.undone',
        changes: { remittance: name, company_id: remittance.company_id, entries: entries.length, reason },
      })
    return readRemittance(ctx, id)
  })
}

/** What the brand has taken back since was paid: such a payment is not reversed before its debit. */
async function assertNotDebited(
  ctx: Ctx,
  entries: readonly BookedEntry[],
  claims: ReadonlyMap<number, BookedEntry>,
) {
  const reversed = new Map<string, number>()
  for (const { kind, line_id, amount } of entries) {
    const key = `${kind} ${line_id}`
    reversed.set(key, (reversed.get(key) ?? 0) + centsOf(amount))
  }
  const left = (line: ClaimLine, kind: 'payment' | 'debit') =>
    centsOf(kind === 'payment' ? line.paid : line.debited) - (reversed.get(`${kind} ${line.id}`) ?? 0)
  const lines = await linesOf(ctx, [...claims.keys()])
  const wrong = lines.find((line) => left(line, 'payment') < left(line, 'debit'))
  const claim = wrong && claims.get(wrong.claim_id)
  if (claim) throw conflict(`Há um estorno posterior em ${claimName(claim)}: corrija-o antes.`)
}
