import { conflict } from '@garantia/shared/errors'
import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import type { EvidenceChanges, EvidenceChangesResult } from '@garantia/shared/evidence/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { differences, type EventInput, recordEvents } from '../../../kernel/events.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { lockedOrder, recompute, visibleOrder } from '../../orders/order/service.ts'
import { MISSING } from './access.ts'
import { namerOf, type OrderOfBrand } from './naming.ts'
import { presentFile } from './present.ts'
import { type EvidenceRow, filesOf } from './queries.ts'
import { enqueueReadings } from './reading.ts'

type Change = EvidenceChanges['changes'][number]

/**
 * Changes category or description of several files of an order, in one transaction, each as `changeEvidence`
 * does for one. Says for each file that was refused why: it is not in the order any more, or has another
 * category than the caller saw. 404 outside the caller's scope; 403 without permission; 409 when the order is
 * closed.
 */
export async function changeManyEvidence(
  ctx: Ctx,
  order_id: number,
  { changes }: EvidenceChanges,
): Promise<EvidenceChangesResult> {
  authorize(ctx.actor, 'evidence.change', await visibleOrder(ctx, order_id))
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, order_id)
    if (isClosed(order.status)) throw conflict(CLOSED_ORDER)
    const known = { order, brand: await findBrand(ctx, order.brand_id) }
    const files = new Map((await filesOf(ctx, order_id)).map((file) => [file.id, file]))
    const columnsFor = await columnsByCategory(ctx, known, files)
    const result: EvidenceChangesResult = { done: [], refused: [] }
    const events: EventInput[] = []
    for (const change of changes) {
      const { id, seen_category, ...wanted } = change
      const before = files.get(id)
      const detail = refusalOf(before, change)
      if (!before || detail !== null) {
        result.refused.push({ id, filename: before?.original_filename ?? null, detail: detail ?? MISSING })
        continue
      }
      const differing = differences<object>(before, wanted)
      if (differing) {
        const row = await ctx.db
          .updateTable('evidence_files')
          .set({ ...wanted, ...('evidence_category' in differing && columnsFor(before, wanted)) })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        files.set(id, row)
        events.push({
          subject: 'order',
          subject_id: order_id,
          kind: 'evidence.changed',
          changes: { evidence_id: id, filename: row.original_filename, ...differing },
        })
      }
      result.done.push(presentFile(ctx, files.get(id) ?? before, order))
    }
    if (events.length > 0) {
      await enqueueReadings(
        ctx,
        result.done.flatMap(({ id }) => files.get(id) ?? []),
      )
      await recordEvents(ctx, events)
      await recompute(ctx, order_id, known)
    }
    return result
  })
}

/** Why a file is not changed, in Portuguese; null when it is. */
function refusalOf(file: EvidenceRow | undefined, { seen_category, evidence_category }: Change) {
  if (!file) return MISSING
  const { evidence_category: now } = file
  if (seen_category === undefined || now === seen_category || now === evidence_category) return null
  return `A categoria já foi mudada para «${now ? EVIDENCE_CATEGORY[now] : 'Sem categoria'}».`
}

/** The columns that follow a file's category, given the order's files as they are by then. */
async function columnsByCategory(ctx: Ctx, known: OrderOfBrand, files: ReadonlyMap<number, EvidenceRow>) {
  const name = await namerOf(ctx, known)
  return (file: EvidenceRow, { evidence_category = null }: Pick<Change, 'evidence_category'>) => {
    const others = [...files.values()].filter(({ id }) => id !== file.id)
    const category_seq = lowestFree(
      others.filter((one) => one.evidence_category === evidence_category).map((one) => one.category_seq),
    )
    const { converted_filename: former } = file
    if (former === null) return { category_seq }
    const ext = former.slice(former.lastIndexOf('.') + 1)
    const taken = others.flatMap(({ converted_filename }) => converted_filename ?? [])
    return {
      category_seq,
      converted_filename: name({ ...file, evidence_category, category_seq }, ext, taken),
    }
  }
}

function lowestFree(taken: readonly number[]) {
  const used = new Set(taken)
  let n = 1
  while (used.has(n)) n++
  return n
}
