import type { ClaimView } from '@garantia/shared/claims/schema'
import { CLAIM_TYPE, claimName } from '@garantia/shared/claims/state'
import { notFound } from '@garantia/shared/errors'
import { brl, bytes, dateTime, MEGABYTE } from '@garantia/shared/format'
import type { Ctx } from '../../../kernel/context.ts'
import { signerOf, signUntil } from '../../../kernel/signing.ts'
import type { StoredObject } from '../../../kernel/storage/storage.ts'
import { composeEmail, enqueueEmail, shortened } from '../../people/mail/service.ts'
import { dossierZip } from '../../records/dossier/service.ts'

/** What a file comes to in a mail: base64, in lines of 76 characters. */
export const sizeInMail = (size: number) => {
  const text = Math.ceil(size / 3) * 4
  return text + Math.ceil(text / 76) * 2
}

/** How long the brand may download the dossier of a sending. */
const LINK_DAYS = 30
const subjectOf = (submission_id: number) => `claim-submission/${submission_id}`

/**
 * Queues the mail to the brand's analyst, and keeps its Message-ID, which an answer names. The dossier is attached if
 * it fits; its address, which ends after 30 days, is in the mail in any case: some servers remove attachments. The
 * address is signed for the product itself: it must not end with the account of whoever sent the claim. 409 when the
 * files of the dossier have expired.
 */
export async function mailSubmission(
  ctx: Ctx,
  claim: ClaimView,
  { id, note, dossier_id }: { id: number; note: string | null; dossier_id: number | null },
  recipient: string,
) {
  const company = await ctx.db
    .selectFrom('companies')
    .where('id', '=', claim.company_id)
    .select(['trading_name', 'email'])
    .executeTakeFirstOrThrow()
  const order = await ctx.db
    .selectFrom('service_orders')
    .where('id', '=', claim.order_id)
    .select(['vehicle_model', 'vehicle_chassis'])
    .executeTakeFirstOrThrow()
  const end = new Date(ctx.clock().getTime() + LINK_DAYS * 86_400_000)
  const signature = signUntil(ctx.config.SIGNING_KEY, subjectOf(id), { kind: 'system' }, end)
  const name = claimName(claim)
  const vehicle = [order.vehicle_model, order.vehicle_chassis].filter((one) => one !== null).join(', ')
  const zip = dossier_id === null ? null : await dossierZip(ctx, dossier_id, claim.os_number)
  const isAttached = zip !== null && sizeInMail(zip.size) <= ctx.config.MAIL_ATTACHMENT_MB * MEGABYTE
  const where = isAttached
    ? `O dossiê vai anexado (${zip.filename}, ${bytes(zip.size)}).`
    : 'O dossiê não vai anexado: baixe-o pelo endereço abaixo.'
  const mail = await enqueueEmail(
    ctx,
    composeEmail({
      recipient,
      subject: `solicitação de garantia ${name}`,
      name: claim.brand.display_name,
      text: `A ${shortened(company.trading_name)} envia a solicitação de garantia ${name} (${CLAIM_TYPE[claim.type].label}), da OS ${claim.os_number}, no valor de ${brl(claim.claimed)}. ${where}`,
      lines: [
        ...(vehicle ? [`Veículo: ${vehicle}`] : []),
        ...(claim.brand_number ? [`Número na marca: ${claim.brand_number}`] : []),
        ...claim.lines.map((line) => `${line.description}: ${brl(line.claimed)}`),
        ...(note ? [note] : []),
      ],
      button: { text: 'Baixar o dossiê', url: `${ctx.config.app_url}/media/claims/${id}/${signature}` },
      note: `O endereço do dossiê vale até ${dateTime(end)}.${company.email ? ` Respostas: ${company.email}.` : ''}`,
    }),
    isAttached ? { key: zip.key, filename: zip.filename, mime: zip.mime } : null,
  )
  await ctx.db
    .updateTable('claim_submissions')
    .set({ mail_id: mail.id, message_id: mail.message_id, mail_failed_at: null, address: recipient })
    .where('id', '=', id)
    .execute()
}

/**
 * The dossier of a sending, for the signed address in its mail. 404 when the signature is wrong or expired, the claim
 * was withdrawn or its order deleted; 409 when its files have expired.
 */
export async function openSentDossier(ctx: Ctx, id: number, signature: string): Promise<StoredObject> {
  const missing = () => notFound('Dossiê não encontrado')
  if ((await signerOf(ctx, subjectOf(id), signature)) === null) throw missing()
  const sent = await ctx.db
    .selectFrom('claim_submissions')
    .innerJoin('claims', 'claims.id', 'claim_submissions.claim_id')
    .innerJoin('service_orders', 'service_orders.id', 'claims.order_id')
    .where('claim_submissions.id', '=', id)
    .where('claims.deleted_at', 'is', null)
    .where('claims.state', '<>', 'withdrawn')
    .select(['dossier_id', 'dossier_n', 'order_id', 'os_number'])
    .executeTakeFirst()
  if (!sent?.dossier_id) throw missing()
  const { order_id, dossier_n: n } = sent
  const zip = await dossierZip(ctx, sent.dossier_id, sent.os_number)
  if (!zip) throw missing()
  ctx.securityLog.note(ctx, { kind: 'dossier.downloaded', order_id, details: { n, part: 'zip' } })
  return zip
}
