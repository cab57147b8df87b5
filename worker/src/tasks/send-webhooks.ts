import { sendDueWebhooks } from '@garantia/server/features/system/webhooks'
import type { Job } from '../task.ts'

export const sendWebhooks: Job<'send-webhooks'> = (ctx, _payload, { signal }) => sendDueWebhooks(ctx, signal)
