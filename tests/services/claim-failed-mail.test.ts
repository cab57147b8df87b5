import {
  decideClaim,
  noteGivenUpMails,
  noteMailFailed,
  readClaim,
  resendMail,
  submitClaim,
} from '@garantia/server/features/claims/claim'
import { listDeadlines } from '@garantia/server/features/claims/deadlines'
import { forgetOldMails, markMailFailed, markMailSent } from '@garantia/server/features/people/mail'
import { listNotifications } from '@garantia/server/features/people/notifications'
import { verifyChains } from '@garantia/server/features/records/chain'
import { startWorker } from '@garantia/worker'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startMailServer } from '../support/mail-server.ts'
import { startTestApp } from '../support/test-app.ts'
import { claimFixture } from './claim-fixture.ts'

const server = await startMailServer()
const testApp = await startTestApp({ SMTP_URL: server.url, MAIL_ATTACHMENT_MB: '1' })
afterAll(async () => {
  await testApp[Symbol.asyncDispose]()
  await server.stop()
})
const { ctx } = testApp.kernel
const { db } = ctx
const { make } = testApp
const { eventsOf } = claimFixture(testApp)
const refused = { code: 'conflict', detail: expect.stringContaining('não falhou') }
let people = 0
/** A claim that somebody sent to an address of its own, by mail. */
async function sentByMail() {
  const recipient = `analista${++people}@marca.exemplo`
  const brand = await make.brand({ submission_channel: 'email', submission_email: recipient })
  const order = await make.order({ brand_id: brand.id })
  const claim = await make.sendableClaim({ order })
  const sender = await testApp.as(await make.user({ is_superuser: true }))
  await submitClaim(sender.ctx, claim.id, {})
  const { mail_id } = await db
    .selectFrom('claim_submissions')
    .where('claim_id', '=', claim.id)
    .select('mail_id')
    .executeTakeFirstOrThrow()
  return { ...claim, brand, sender, recipient, mail_id: mail_id ?? 0 }
}
const dueOf = async ({ sender, order_id }: Awaited<ReturnType<typeof sentByMail>>) =>
  (await listDeadlines(sender.ctx, { kind: ['mail'], limit: 100 })).items.filter(
    (row) => row.order_id === order_id,
  )

test('a mail that failed for good is shown, told and due until it is sent anew, which is one event (D-56)', async () => {
  const claim = await sentByMail()
  const { id, sender, mail_id } = claim
  await expect(resendMail(sender.ctx, id)).rejects.toMatchObject(refused)
  await markMailFailed(ctx, mail_id, 'Caixa inexistente')
  await noteMailFailed(ctx, mail_id)
  await noteMailFailed(ctx, mail_id)
  expect(await readClaim(ctx, id)).toMatchObject({ mail_failed_at: expect.any(String), state: 'sent' })
  expect(await dueOf(claim)).toMatchObject([{ kind: 'mail', claim_id: id, is_overdue: true }])
  expect(await listNotifications(sender.ctx, {})).toMatchObject({
    notifications: [
      { kind: 'claim.mail_failed', times: 1, text: expect.stringMatching(/^SG .*: Caixa inexistente$/) },
    ],
  })
  await db
    .updateTable('brands')
    .set({ submission_email: 'certo@marca.exemplo' })
    .where('id', '=', claim.brand.id)
    .execute()
  const both = await Promise.allSettled([resendMail(sender.ctx, id), resendMail(sender.ctx, id)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await readClaim(ctx, id)).toMatchObject({
    mail_failed_at: null,
    submissions: [{ n: 1, address: 'certo@marca.exemplo', mail: { sent_at: null, error: null } }],
  })
  expect(await dueOf(claim)).toEqual([])
  expect(await eventsOf(claim.order_id)).toMatchObject([
    { kind: 'claim.sent' },
    { kind: 'claim.mailed', changes: { dossier_n: 1 } },
  ])
  expect((await verifyChains(ctx)).faults.filter(({ seq }) => seq > 0)).toEqual([])
})

test('it is not due once the mail went out after all, or the brand has answered', async () => {
  const [out, answered] = [await sentByMail(), await sentByMail()]
  for (const { mail_id } of [out, answered]) await noteMailFailed(ctx, mail_id)
  await markMailSent(ctx, out.mail_id)
  await decideClaim(ctx, answered.id, { answer: 'returned', brand_words: 'Falta a foto' })
  for (const claim of [out, answered]) {
    expect(await dueOf(claim)).toEqual([])
    expect((await readClaim(ctx, claim.id)).mail_failed_at).toBeNull()
    await expect(resendMail(ctx, claim.id)).rejects.toMatchObject(refused)
  }
})

test('a mail whose worker was lost in its last attempt is found in the queue', async () => {
  const { id, mail_id } = await sentByMail()
  await noteGivenUpMails(ctx)
  expect((await readClaim(ctx, id)).mail_failed_at).toBeNull()
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where key = ${`mail:${mail_id}`}`.execute(
    db,
  )
  await noteGivenUpMails(ctx)
  expect((await readClaim(ctx, id)).mail_failed_at).not.toBeNull()
  await sql`delete from graphile_worker._private_jobs where key = ${`mail:${mail_id}`}`.execute(db)
})

test('the dossier is attached when it fits, and the mail says where it is; one without its text is not sent (D-56)', async () => {
  const small = await make.failedMail({}, Buffer.alloc(700_000, 1))
  const large = await make.failedMail({}, Buffer.alloc(800_000, 1))
  for (const id of [small, large]) await resendMail(ctx, id)
  const waited = await sentByMail()
  await db
    .updateTable('mails')
    .set({ created_at: new Date(Date.now() - 3 * 3_600_000) })
    .where('id', '=', waited.mail_id)
    .execute()
  await forgetOldMails(ctx)
  const worker = await startWorker(testApp.kernel)
  const got = () => server.to('analista@marca.exemplo')
  await expect.poll(() => got().length, { timeout: 20_000 }).toBe(2)
  await expect
    .poll(async () => (await readClaim(ctx, waited.id)).mail_failed_at, { timeout: 20_000 })
    .not.toBeNull()
  await worker.stop()
  expect(server.to(waited.recipient)).toEqual([])
  const [attached] = got().filter(({ attachments }) => attachments.length > 0)
  expect(attached?.text).toMatch(/O dossiê vai anexado \(os_\S+_dossie_1\.zip, .*\/media\/claims\//s)
  expect(attached?.attachments).toMatchObject([
    { filename: expect.stringMatching(/_dossie_1\.zip$/), mimeType: 'application/zip' },
  ])
  expect(new Uint8Array(attached?.attachments[0]?.content as ArrayBuffer)).toHaveLength(700_000)
  const [linked] = got().filter(({ attachments }) => attachments.length === 0)
  expect(linked?.text).toMatch(/O dossiê não vai anexado.*\/media\/claims\//s)
})
