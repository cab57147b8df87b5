import { forgetOldMails, listMails, markMailSent, readMail } from '@garantia/server/features/people/mail'
import { startWorker } from '@garantia/worker'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const SUBJECT = 'Garantia: recuperação de senha'

/** A real mail server in this process; it stores the mails it gets. */
async function mailServer(port = 0, options: SMTPServerOptions = {}) {
  const received: { from: string; to: string[]; raw: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('latin1'),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  const address = server.server.address()
  return {
    received,
    port: typeof address === 'object' && address ? address.port : 0,
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}
const recover = ({ anonymous }: TestApp, email: string) =>
  anonymous.api('POST', `/password-recovery/${encodeURIComponent(email)}`)
const outbox = ({ kernel }: TestApp) => kernel.ctx.db.selectFrom('mails').selectAll().orderBy('id').execute()
const jobs = async ({ kernel }: TestApp) =>
  (
    await sql<{ attempts: number; max_attempts: number; last_error: string | null }>`
      select attempts, max_attempts, last_error from graphile_worker.jobs
      where task_identifier = 'send-mail'`.execute(kernel.ctx.db)
  ).rows

describe('without a mail server (D-46)', () => {
  test('a mail stays in the outbox, and no job is added', async () => {
    await using testApp = await startTestApp()
    const { email } = await testApp.make.user()
    expect((await recover(testApp, email)).statusCode).toBe(200)
    expect(await outbox(testApp)).toMatchObject([
      { recipient: email, subject: SUBJECT, sent_at: null, error: null },
    ])
    expect(await jobs(testApp)).toEqual([])
  })

  test('greets by a short name: what somebody unknown wrote in it is no message of ours', async () => {
    await using testApp = await startTestApp()
    const full_name =
      'Ana D’Ávila\r\n\nSua conta foi bloqueada: abra https://golpe.exemplo.com/entrar?x=1 agora mesmo'
    const { email } = await testApp.make.user({ full_name })
    await recover(testApp, email)
    const [mail] = await outbox(testApp)
    expect(mail?.body.split('\n').slice(0, 2)).toEqual(['Olá, Ana D’Ávila Sua conta foi bloqueada abra.', ''])
    for (const text of [mail?.body, mail?.html]) expect(text).not.toMatch(/golpe|agora mesmo/)
    const boss = await testApp.make.user({ full_name: 'Veja golpe.exemplo.com' })
    await recover(testApp, boss.email)
    expect((await outbox(testApp)).at(-1)?.body).toContain('Olá, Veja golpe. exemplo. com.')
  })

  test('its text is forgotten when its link has ended, or when it was sent', async () => {
    await using testApp = await startTestApp()
    const { ctx } = testApp.kernel
    for (const made of [await testApp.make.user(), await testApp.make.user(), await testApp.make.user()])
      await recover(testApp, made.email)
    const [old, sent, young] = (await outbox(testApp)).map(({ id }) => id)
    const hours = (count: number) => new Date(ctx.clock().getTime() - count * 3_600_000)
    await ctx.db
      .updateTable('mails')
      .set({ created_at: hours(3) })
      .where('id', '=', old ?? 0)
      .execute()
    await markMailSent(ctx, sent ?? 0)
    await forgetOldMails(ctx)
    const texts = (await outbox(testApp)).map(({ id, body, html }) => [id, /token=/.test(`${body}${html}`)])
    expect(texts).toEqual([
      [old, false],
      [sent, false],
      [young, true],
    ])
  })

  test('only a superuser reads it; the list shows no link', async () => {
    await using testApp = await startTestApp()
    await recover(testApp, (await testApp.make.user()).email)
    const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
    const list = await listMails(boss.ctx)
    expect(list).toMatchObject({ count: 1, has_server: false })
    expect(JSON.stringify(list)).not.toContain('token=')
    const id = list.data[0]?.id ?? 0
    expect((await readMail(boss.ctx, id)).body).toContain('/reset-password?token=')
    await expect(readMail(boss.ctx, id + 1)).rejects.toMatchObject({ code: 'not_found' })
    for (const fields of [{ role: 'admin' as const }, { role: 'manager' as const }, {}]) {
      const { ctx } = await testApp.as(await testApp.make.user(fields))
      await expect(listMails(ctx)).rejects.toMatchObject({ code: 'forbidden' })
      await expect(readMail(ctx, id)).rejects.toMatchObject({ code: 'forbidden' })
    }
  })
})

describe('with a mail server', () => {
  test('the worker delivers it once, with its accents and both bodies', async () => {
    await using server = await mailServer()
    await using testApp = await startTestApp({
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: 'Garantia Técnica <garantia@exemplo.com.br>',
      APP_URL: 'https://garantia.exemplo.com.br/',
    })
    const user = await testApp.make.user({ full_name: 'João & Filhos' })
    await recover(testApp, user.email)
    const worker = await startWorker(testApp.kernel)
    await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(1)
    await expect.poll(() => jobs(testApp)).toEqual([])
    await worker.stop()

    const [got] = server.received
    expect([got?.from, got?.to]).toEqual(['garantia@exemplo.com.br', [user.email]])
    const mail = await PostalMime.parse(Buffer.from(got?.raw ?? '', 'latin1'))
    expect(mail).toMatchObject({
      subject: SUBJECT,
      from: { name: 'Garantia Técnica', address: 'garantia@exemplo.com.br' },
      to: [{ address: user.email }],
    })
    const [text, html] = [mail.text ?? '', mail.html ?? '']
    expect(text).toContain('Olá, João & Filhos.')
    expect(html).toContain('Olá, João &#38; Filhos.')
    expect(html).toContain('<html lang="pt-BR">')
    const [, link = '', token = ''] =
      /(https:\/\/garantia\.exemplo\.com\.br\/reset-password\?token=([\w-]{43}))/.exec(text) ?? []
    expect(html).toContain(`href="${link}"`)
    const reset = await testApp.anonymous.api('POST', '/reset-password', {
      token,
      new_password: 'uma-senha-nova',
    })
    expect(reset.statusCode).toBe(200)
    expect(await outbox(testApp)).toMatchObject([
      { sent_at: expect.any(Date), error: null },
      { subject: 'Garantia: aviso de segurança', recipient: user.email, sent_at: null },
    ])
  })

  test('that is down the mail waits, shows the reason, and is sent when it is back', async () => {
    const { port } = await (async () => {
      await using gone = await mailServer()
      return { port: gone.port }
    })()
    await using testApp = await startTestApp({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    const { email } = await testApp.make.user()
    await recover(testApp, email)
    const worker = await startWorker(testApp.kernel)
    await expect
      .poll(() => jobs(testApp), { timeout: 20_000 })
      .toMatchObject([{ attempts: 1, max_attempts: 8, last_error: expect.stringContaining('ECONNREFUSED') }])
    expect(await outbox(testApp)).toMatchObject([
      { sent_at: null, error: expect.stringContaining('ECONNREFUSED') },
    ])
    const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
    expect((await listMails(boss.ctx)).data).toMatchObject([
      { error: expect.stringContaining('ECONNREFUSED') },
    ])

    await using server = await mailServer(port)
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(testApp.kernel.ctx.db)
    await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(1)
    await expect.poll(() => jobs(testApp)).toEqual([])
    await worker.stop()
    expect(await outbox(testApp)).toMatchObject([{ sent_at: expect.any(Date), error: null }])
  })

  test('that refuses the address is shown as the reason', async () => {
    await using server = await mailServer(0, {
      onRcptTo: (_, __, done) => done(Object.assign(new Error('Caixa inexistente'), { responseCode: 550 })),
    })
    await using testApp = await startTestApp({ SMTP_URL: `smtp://127.0.0.1:${server.port}` })
    await recover(testApp, (await testApp.make.user()).email)
    const worker = await startWorker(testApp.kernel)
    await expect
      .poll(async () => (await outbox(testApp))[0]?.error, { timeout: 20_000 })
      .toContain('Caixa inexistente')
    await worker.stop()
    expect(server.received).toEqual([])
  })
})

test('a recovery that fails leaves neither a mail nor a job', async () => {
  await using testApp = await startTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' })
  const { db } = testApp.kernel.ctx
  await sql`alter table events add constraint falha check (kind <> 'recovery.requested')`.execute(
    testApp.owner.db,
  )
  const { email } = await testApp.make.user()
  const answer = await testApp.app.inject({ method: 'POST', url: `/api/v1/password-recovery/${email}` })
  expect([answer.statusCode, answer.json()]).toEqual([500, { detail: 'Internal Server Error' }])
  expect([await outbox(testApp), await jobs(testApp)]).toEqual([[], []])
  expect(await db.selectFrom('password_resets').selectAll().execute()).toEqual([])
})
