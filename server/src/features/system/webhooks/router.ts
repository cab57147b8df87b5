import { byId } from '@garantia/shared/fields'
import { resentWebhook, webhookInput, webhookMessages } from '@garantia/shared/webhooks'
import { router, signedIn } from '../../../http/trpc.ts'
import { createWebhook, deliveriesOf, listWebhooks, removeWebhook, resendDeliveries } from './service.ts'

export const webhooksRouter = router({
  list: signedIn.query(({ ctx: { ctx } }) => listWebhooks(ctx)),
  create: signedIn.input(webhookInput).mutation(({ ctx: { ctx }, input }) => createWebhook(ctx, input)),
  remove: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removeWebhook(ctx, input.id)),
  messages: signedIn.input(webhookMessages).query(({ ctx: { ctx }, input }) => deliveriesOf(ctx, input)),
  resend: signedIn.input(resentWebhook).mutation(({ ctx: { ctx }, input }) => resendDeliveries(ctx, input)),
})
