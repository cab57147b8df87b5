import { decideClaim, readClaim, submitClaim, withdrawClaim } from '@garantia/server/features/claims/claim'
import { markMailFailed, markMailSent, messageIdOf } from '@garantia/server/features/people/mail'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'garantia@casa.exemplo' })
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const { make } = testApp

const brand = await make.brand({
  display_name: 'Marca do Analista',
  submission_channel: 'email',
  submission_email: 'analista@marca.exemplo',
})
const mailOf = async (claim_id: number) =>
  db
    .selectFrom('claim_submissions')
    .innerJoin('mails', 'mails.id', 'claim_submissions.mail_id')
    .where('claim_id', '=', claim_id)
    .selectAll('mails')
    .select('message_id')
    .executeTakeFirstOrThrow()
const addressIn = (body: string) => /https?:\/\/\S*?(\/media\/claims\/\S+)/.exec(body)?.[1] ?? ''

test('a claim sent by e-mail is a mail to the analyst, with an address of its dossier that ends (D-56)', async () => {
  const order = await make.order({ brand_id: brand.id, customer_name: 'Cliente Reservado' })
  const { id } = await make.sendableClaim({ order, amounts: [10.5] })
  const sent = await submitClaim(ctx, id, { note: 'Urgente' })
  const mail = await mailOf(id)
  expect(sent.submissions).toMatchObject([
    { channel: 'email', address: 'analista@marca.exemplo', mail: { sent_at: null, error: null } },
  ])
  expect(mail).toMatchObject({
    recipient: 'analista@marca.exemplo',
    subject: `Garantia: solicitação de garantia SG ${order.os_number}-1`,
    message_id: messageIdOf(ctx.config, mail),
  })
  expect(mail.message_id).toMatch(/@casa\.exemplo>$/)
  expect(mail.body).toMatch(/Olá, Marca do Analista[\s\S]*R\$\s10,50[\s\S]*Urgente/)
  expect(mail.body).not.toContain('Cliente Reservado')

  const address = addressIn(mail.body)
  const get = (url: string) => testApp.app.inject({ url })
  const answer = await get(address)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-disposition']).toContain(`os_${order.os_number}_dossie_1.zip`)
  expect((await get(address.replace(`/claims/${sent.submissions[0]?.id}/`, '/claims/999/'))).statusCode).toBe(
    404,
  )
  expect((await get(`${address.slice(0, -2)}xx`)).statusCode).toBe(404)

  const later = new Date(Date.now() + 31 * 86_400_000)
  const clock = ctx.clock
  ctx.clock = () => later
  expect((await get(address)).statusCode).toBe(404)
  ctx.clock = clock

  await markMailFailed(ctx, mail.id, 'recusado')
  expect((await readClaim(ctx, id)).submissions).toMatchObject([
    { mail: { sent_at: null, error: 'recusado' } },
  ])
  await markMailSent(ctx, mail.id)
  expect((await readClaim(ctx, id)).submissions).toMatchObject([{ mail: { error: null } }])
  expect((await mailOf(id)).body).not.toContain('/media/claims/')

  await withdrawClaim(ctx, id, { reason: 'Errada' })
  expect((await get(address)).statusCode).toBe(404)
})

test('the address ends when the dossier is removed', async () => {
  const { id, order_id } = await make.sendableClaim({ order: await make.order({ brand_id: brand.id }) })
  await submitClaim(ctx, id, {})
  const { body } = await mailOf(id)
  await db.updateTable('dossiers').set({ purged_at: new Date() }).where('order_id', '=', order_id).execute()
  expect((await testApp.app.inject({ url: addressIn(body) })).statusCode).toBe(409)
  await decideClaim(ctx, id, { answer: 'returned', brand_words: 'Falta a foto' })
  // What the brand cannot open is not sent to it.
  await expect(submitClaim(ctx, id, {})).rejects.toMatchObject({ code: 'conflict' })
})

test('without an address or a mail server nothing is sent', async () => {
  const { id } = await make.sendableClaim()
  const refused = { code: 'conflict', detail: expect.stringContaining('não tem e-mail') }
  await expect(submitClaim(ctx, id, { channel: 'email' })).rejects.toMatchObject(refused)
  const { id: mailed } = await make.sendableClaim({ order: await make.order({ brand_id: brand.id }) })
  const { SMTP_URL: _, ...config } = ctx.config
  const without = { ...ctx, config: config as typeof ctx.config }
  await expect(submitClaim(without, mailed, {})).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('servidor de e-mail'),
  })
  expect(await readClaim(ctx, mailed)).toMatchObject({ state: 'draft', submissions: [] })
})
