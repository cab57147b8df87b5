import { anonymise, failRequest } from '@garantia/server/features/records/privacy'
import type { Job } from '../task.ts'

/** Anonymises a customer; a retry goes on with the orders that are left. */
export const anonymiseCustomer: Job<'anonymise-customer'> = async (
  ctx,
  { request_id },
  { signal, lastTry },
) => {
  try {
    await anonymise(ctx, request_id, signal)
  } catch (error) {
    if (lastTry) await failRequest(ctx, request_id)
    throw error
  }
}
