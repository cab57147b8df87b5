import { convertUploads } from '@garantia/server/features/evidence/conversion'
import type { Job } from '../task.ts'

/** For brands with automatic conversion: queues the new uploads of an order. */
export const convertNewUploads: Job<'convert-uploads'> = async (ctx, { order_id }) => {
  await convertUploads(ctx, order_id)
}
