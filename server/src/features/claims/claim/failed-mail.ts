import type { ClaimView } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import { conflict } from '@garantia/shared/errors'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { notify } from '../../people/notifications/service.ts'
import { lockedClaim } from './access.ts'
import { mailSubmission } from './mailing.ts'
import { submissionsOf } from './queries.ts'
import { viewOf } from './reading.ts'
import { NO_ADDRESS, NO_SERVER } from './sending.ts'

const NOT_FAILED = 'O e-mail desta solicitação não falhou: não há o que enviar de novo.'

/**
 * Notes that the mail of a sending will not be tried again, and tells whoever sent the claim. Does nothing for other
 * mails, for one that was sent, and the second time.
 */
export async function noteMailFailed(ctx: Ctx, mail_id: number) {
  const found = await ctx.db
    .selectFrom('claim_submissions')
    .where('mail_id', '=', mail_id)
    .select('claim_id')
    .executeTakeFirst()
  if (!found) return
  await inTransaction(ctx, async (ctx) => {
    const { claim, order } = await lockedClaim(ctx, found.claim_id)
    const failed = await ctx.db
      .selectFrom('claim_submissions')
      .innerJoin('mails', 'mails.id', 'claim_submissions.mail_id')
      .where('mails.id', '=', mail_id)
      .where('mails.sent_at', 'is', null)
      .where('mail_failed_at', 'is', null)
      .select(['claim_submissions.id', 'claim_submissions.user_id', 'mails.error'])
      .executeTakeFirst()
    if (!failed) return
    await ctx.db
      .updateTable('claim_submissions')
      .set({ mail_failed_at: ctx.clock() })
      .where('id', '=', failed.id)
      .execute()
    await tellPages(ctx, claim.id)
    const name = claimName({ os_number: order.os_number, n: claim.n })
    await notify(ctx, [failed.user_id], {
      kind: 'claim.mail_failed',
      order_id: order.id,
      text: [name, failed.error].filter(Boolean).join(': '),
    })
  })
}

/** Open pages of the order read its claim again, which is the same version. */
const tellPages = (ctx: Ctx, id: number) =>
  ctx.db.updateTable('claims').set({ updated_at: ctx.clock() }).where('id', '=', id).execute()

/** The same for mails whose worker was lost in the last attempt; a job that was given up stays in the queue. */
export async function noteGivenUpMails(ctx: Ctx) {
  const { rows } = await sql<{ mail_id: number }>`
    select mails.id as mail_id from graphile_worker.jobs
      join mails on jobs.key = 'mail:' || mails.id
      join claim_submissions on claim_submissions.mail_id = mails.id
    where jobs.task_identifier = 'send-mail' and jobs.attempts >= jobs.max_attempts and jobs.locked_at is null
      and mails.sent_at is null and mail_failed_at is null`.execute(ctx.db)
  for (const { mail_id } of rows) await noteMailFailed(ctx, mail_id)
}

/**
 * Sends the mail of the newest sending anew, with the same dossier, to the address that the brand has now. 404 outside
 * the caller's scope; 403 without permission; 409 when that mail has not failed, the brand has answered meanwhile, it
 * has no address, there is no mail server, or the files of the dossier have expired.
 */
export async function resendMail(ctx: Ctx, id: number): Promise<ClaimView> {
  authorizeSome(ctx.actor, 'claim.send')
  return inTransaction(ctx, async (ctx) => {
    const { claim, order } = await lockedClaim(ctx, id)
    authorize(ctx.actor, 'claim.send', claim)
    const view = await viewOf(ctx, id)
    const newest = (await submissionsOf(ctx, [id])).at(-1)
    if (!newest || view.mail_failed_at === null) throw conflict(NOT_FAILED)
    const { submission_email } = await findBrand(ctx, claim.brand_id)
    if (!submission_email) throw conflict(NO_ADDRESS)
    if (!ctx.config.SMTP_URL) throw conflict(NO_SERVER)
    await mailSubmission(ctx, view, newest, submission_email)
    await tellPages(ctx, id)
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order.id,
      kind: 'claim.mailed',
      changes: { claim: claimName(view), dossier_n: newest.dossier_n },
    })
    return viewOf(ctx, id)
  })
}
