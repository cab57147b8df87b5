import type { SubmissionInput } from '@garantia/shared/claims/answers'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import { conflict } from '@garantia/shared/errors'
import { resultOf } from '@garantia/shared/evidence/checks'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { checksOf } from '../../orders/checks/service.ts'
import type { OrderRow } from '../../orders/order/service.ts'
import { currentDossier, requestDossier } from '../../records/dossier/service.ts'
import { lockedClaim } from './access.ts'
import { carryOver } from './carrying.ts'
import { noteDue } from './due.ts'
import { checkPrevious, linesAsInput } from './lines.ts'
import { mailSubmission } from './mailing.ts'
import { type Claim, submissionsOf } from './queries.ts'
import { viewOf } from './reading.ts'
import { checkStep, checkVersion, momentOf, personOf, writeStep } from './step.ts'

/**
 * Records that a claim is sent to the brand, or sent again after a return, with the newest sealed dossier; by e-mail
 * also sends it. While no sealed version has what the order has now, one is requested and 409 says so: what a brand
 * has received must exist, and somebody who uses its portal needs the file first. 404 outside the caller's scope; 403
 * without permission; 409 when the state does not allow it, the package has problems that were not accepted on
 * completion, the brand has no address, or `version` is outdated; 422 for an impossible date; as `requestDossier` when
 * no dossier can be made.
 */
export async function submitClaim(ctx: Ctx, id: number, input: SubmissionInput): Promise<ClaimView> {
  authorizeSome(ctx.actor, 'claim.send')
  const sent = await inTransaction(ctx, async (ctx) => {
    const { claim, order } = await lockedClaim(ctx, id)
    authorize(ctx.actor, 'claim.send', claim)
    await checkVersion(ctx, claim, input.version)
    checkStep(claim, claim.state === 'returned' ? 'resend' : 'send')
    await checkAppeal(ctx, claim)
    await checkPackage(ctx, order)
    const sent_at = momentOf(ctx, input.sent_at, 'sent_at', claim.sent_at)
    const { channel, address } = await channelOf(ctx, claim, input)
    const dossier = await currentDossier(ctx, order.id)
    // Not thrown here: the request has to stay.
    if (!dossier) return { awaits: (await requestDossier(ctx, order.id)).n }
    const brand_number = input.brand_number ?? claim.brand_number
    const before = await submissionsOf(ctx, [id])
    const submission = await ctx.db
      .insertInto('claim_submissions')
      .values({
        claim_id: id,
        n: before.length + 1,
        dossier_id: dossier.id,
        dossier_n: dossier.n,
        channel,
        address,
        brand_number,
        note: input.note ?? null,
        sent_at,
        ...personOf(ctx.actor),
        created_at: ctx.clock(),
      })
      .returning(['id', 'note', 'dossier_id'])
      .executeTakeFirstOrThrow()
    await writeStep(ctx, id, {
      state: 'sent',
      brand_number,
      // The age of a claim counts from its first sending; the answer to that one was the return.
      sent_at: claim.sent_at ?? sent_at,
      answered_at: null,
    })
    if (claim.state === 'draft') await carryOver(ctx, claim, order.os_number)
    await noteDue(ctx, id)
    const view = await viewOf(ctx, id)
    if (channel === 'email') await mailSubmission(ctx, view, submission, address ?? '')
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order.id,
      kind: 'claim.sent',
      changes: { claim: claimName(view), channel, dossier_n: dossier.n, brand_number, claimed: view.claimed },
    })
    return { claim: channel === 'email' ? await viewOf(ctx, id) : view }
  })
  if (sent.claim) return sent.claim
  throw conflict(`O dossiê ${sent.awaits} está sendo selado. Envie assim que ele estiver pronto.`)
}

/** An appeal may have been overtaken since it was opened, by a payment or by another one. */
async function checkAppeal(ctx: Ctx, claim: Claim) {
  if (claim.type === 'normal' || claim.state !== 'draft') return
  await checkPrevious(ctx, claim.order_id, { ...claim, lines: await linesAsInput(ctx, claim.id) })
}

/** The brand receives what passes its rules, or what somebody completed with its problems on record (D-10). */
async function checkPackage(ctx: Ctx, order: OrderRow) {
  const isCompleted = order.status === 'completed'
  const purpose = isCompleted ? 'completion' : 'package'
  const { errors } = resultOf(await checksOf(ctx, order, { purpose, integrity: 'sizes' }))
  if (errors.length === 0 || (isCompleted && (await wasCompletedWithProblems(ctx, order.id)))) return
  throw conflict(`O pacote ainda tem problemas: ${errors.join('; ')}.`)
}

async function wasCompletedWithProblems(ctx: Ctx, order_id: number) {
  const last = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .where('kind', '=', 'status')
    .select('changes')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last !== undefined && 'problems' in (last.changes as object)
}

export const NO_SERVER =
  'Não há servidor de e-mail configurado. Envie pelo portal da marca ou avise o administrador.'
export const NO_ADDRESS =
  'A marca não tem e-mail para envio. Informe-o nas regras da marca ou envie pelo portal.'

/** How it is sent, and to which address: that of the brand's portal, if known, or of its analyst. */
async function channelOf(ctx: Ctx, { brand_id }: Claim, { channel }: SubmissionInput) {
  const brand = await findBrand(ctx, brand_id)
  const chosen = channel ?? (brand.submission_channel === 'email' ? 'email' : 'portal')
  if (chosen === 'portal') return { channel: chosen, address: brand.submission_url }
  if (!brand.submission_email) throw conflict(NO_ADDRESS)
  if (!ctx.config.SMTP_URL) throw conflict(NO_SERVER)
  return { channel: chosen, address: brand.submission_email }
}
