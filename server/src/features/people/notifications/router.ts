import { notificationFilter, readNotifications } from '@garantia/shared/notifications/schema'
import { z } from 'zod'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  chooseDeadlineMail,
  chooseDigest,
  countUnread,
  listNotifications,
  markRead,
  readDigestChoice,
} from './service.ts'

export const notificationsRouter = router({
  list: signedIn.input(notificationFilter).query(({ ctx: { ctx }, input }) => listNotifications(ctx, input)),
  unread: signedIn.query(({ ctx: { ctx } }) => countUnread(ctx)),
  markRead: signedIn.input(readNotifications).mutation(({ ctx: { ctx }, input }) => markRead(ctx, input.ids)),
  digest: signedIn.query(({ ctx: { ctx } }) => readDigestChoice(ctx)),
  chooseDigest: signedIn
    .input(z.object({ wants_digest: z.boolean() }))
    .mutation(({ ctx: { ctx }, input }) => chooseDigest(ctx, input.wants_digest)),
  chooseDeadlineMail: signedIn
    .input(z.object({ wants_deadline_mail: z.boolean() }))
    .mutation(({ ctx: { ctx }, input }) => chooseDeadlineMail(ctx, input.wants_deadline_mail)),
})
