import { recheckOrders } from '@garantia/server/features/evidence/recheck'
import type { Job } from '../task.ts'

/** Rechecks a brand's open orders after its rules were changed. */
export const recheckBrand: Job<'recheck-orders'> = async (ctx, { brand_id }, { signal }) => {
  await recheckOrders(ctx, brand_id, signal)
}
