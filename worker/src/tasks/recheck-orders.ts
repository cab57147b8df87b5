import { recheckOrders } from '@garantia/server/features/evidence/recheck'
import type { Job } from '../task.ts'

/** The rules of a brand changed: its open orders are judged by the new ones. */
export const recheckBrand: Job<'recheck-orders'> = async (ctx, { brand_id }, { signal }) => {
  await recheckOrders(ctx, brand_id, signal)
}
