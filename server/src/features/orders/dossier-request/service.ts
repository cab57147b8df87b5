import type { Dossiers } from '@garantia/migrations/schema'
import type { Selectable } from 'kysely'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'

/** Enough for a worker that is killed a few times; a dossier that crashes its worker is then given up. */
const MAX_TRIES = 8

/** The dossiers of an order, newest version first. */
export const dossiersOf = (ctx: Ctx, order_id: number): Promise<Selectable<Dossiers>[]> =>
  ctx.db.selectFrom('dossiers').where('order_id', '=', order_id).selectAll().orderBy('n', 'desc').execute()

/**
 * Queues a new version of an order's dossier in the caller's transaction; permissions are checked by the
 * caller. A version that is queued but not started is returned instead; one that is being built is not, since
 * it shows the order as it was before. Imports no other feature, so that the order feature can call it.
 */
export function enqueueDossier(ctx: Ctx, order_id: number): Promise<Selectable<Dossiers>> {
  return inTransaction(ctx, async (ctx) => {
    await ctx.db
      .selectFrom('service_orders')
      .where('id', '=', order_id)
      .select('id')
      .forNoKeyUpdate()
      .execute()
    const before = await dossiersOf(ctx, order_id)
    const queued = before.find(({ status }) => status === 'queued')
    if (queued) return queued
    const { actor } = ctx
    const row = await ctx.db
      .insertInto('dossiers')
      .values({
        order_id,
        n: (before[0]?.n ?? 0) + 1,
        created_by: actor.kind === 'user' ? actor.id : null,
        actor_name: actor.kind === 'user' ? actor.name : 'Sistema',
        created_at: ctx.clock(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await enqueue(
      ctx,
      'build-dossier',
      { dossier_id: row.id },
      { key: `dossier:${row.id}`, max_attempts: MAX_TRIES },
    )
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'dossier.requested',
      changes: { n: row.n },
    })
    return row
  })
}
