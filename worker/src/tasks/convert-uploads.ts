import { convertUploads } from '@garantia/server/features/evidence/conversion'
import type { Job } from '../task.ts'

/** A brand that converts by itself: whatever arrived in the order goes to the queue. */
export const convertNewUploads: Job<'convert-uploads'> = async (ctx, { order_id }) => {
  await convertUploads(ctx, order_id)
}
