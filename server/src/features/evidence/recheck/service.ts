import { AppError } from '@garantia/shared/errors'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recompute } from '../../orders/order/service.ts'

/** Orders read at a time; each is then locked in its own transaction. */
const BATCH = 200

/**
 * Recomputes the status of every open order of a brand by its present rules (D-33). Can be stopped by
 * `signal`, which throws, and run again. Returns the number of orders.
 */
export async function recheckOrders(ctx: Ctx, brand_id: number, signal?: AbortSignal) {
  let last = 0
  let judged = 0
  for (;;) {
    const orders = await ctx.db
      .selectFrom('service_orders')
      .where('brand_id', '=', brand_id)
      .where('id', '>', last)
      .where('deleted_at', 'is', null)
      .where('status', 'not in', ['completed', 'cancelled'])
      .select('id')
      .orderBy('id')
      .limit(BATCH)
      .execute()
    for (const { id } of orders) {
      signal?.throwIfAborted()
      await inTransaction(ctx, (ctx) => recompute(ctx, id)).catch((error: unknown) => {
        // Deleted since it was listed.
        if (!(error instanceof AppError && error.code === 'not_found')) throw error
      })
      judged++
    }
    last = orders.at(-1)?.id ?? last
    if (orders.length < BATCH) return judged
  }
}
