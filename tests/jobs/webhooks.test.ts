import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordEvent } from '@garantia/server/kernel'
import { NO_HTTPS, type WebhookMessage } from '@garantia/shared/webhooks'
import { startWorker } from '@garantia/worker'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { operatorCommand } from './process.ts'

const [DONE, FAILED, USAGE, NOTHING] = [0, 1, 2, 3]

/** Another system: answers with `status`, and keeps what it was sent. */
async function startReceiver() {
  const got: { id: string; headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = { status: 204, got, url: '', close: () => void server.close() }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    got.push({ id: String(request.headers['webhook-id']), headers: request.headers, body })
    response.writeHead(receiver.status, { location: 'http://127.0.0.1:1/' }).end('x'.repeat(1_000))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/avisos`
  return receiver
}

const testApp = await startTestApp({ WEBHOOK_PRIVATE_ADDRESSES: 'true' })
const worker = await startWorker(testApp.kernel)
const receiver = await startReceiver()
afterAll(async () => {
  receiver.close()
  await worker.stop()
  await testApp[Symbol.asyncDispose]()
})
const { ctx } = testApp.kernel
const run = (...args: string[]) => operatorCommand(testApp, ['webhooks', ...args])
const created = async (...args: string[]) => {
  const { code, out } = await run('criar', '--url', receiver.url, ...args, '--json')
  expect(code).toBe(DONE)
  return JSON.parse(out) as { id: number; secret: string }
}
const messagesOf = async (id: number, ...args: string[]) =>
  JSON.parse((await run('mensagens', String(id), ...args, '--json')).out) as {
    id: number
    message_id: string
    attempts: number
    next_at: string | null
    sent_at: string | null
    error: string | null
  }[]
/** In the order of the trail; they may arrive in another. */
const messages = () =>
  receiver.got.map(({ body }) => JSON.parse(body) as WebhookMessage).sort((a, b) => a.data.seq - b.data.seq)
/** As when the time of the next attempt has come. */
const dueNow = async () => {
  await ctx.db
    .updateTable('webhook_deliveries')
    .set({ next_at: new Date() })
    .where('next_at', 'is not', null)
    .execute()
  await testApp.owner.db
    .selectNoFrom((eb) => eb.fn('graphile_worker.add_job', [eb.val('send-webhooks')]).as('job'))
    .execute()
}

test('other systems are told of events, signed, of their company and subjects only, and no message names a person', async () => {
  const [mine, other] = [await testApp.make.company(), await testApp.make.company()]
  const { id, secret } = await created('--assuntos', 'order,claim', '--empresa', String(mine.id))
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Berta Chefe' }))
  const order = await testApp.make.order({ company_id: mine.id, customer_name: 'Maria Sigilosa' })
  const foreign = await testApp.make.order({ company_id: other.id })
  await recordEvent(ctx, { subject: 'order', subject_id: foreign.id, kind: 'changed', changes: {} })
  await recordEvent(ctx, {
    subject: 'order',
    subject_id: order.id,
    kind: 'evidence.uploaded',
    changes: { evidence_id: 5 },
  })
  const answer = await boss.api('PUT', `/service-orders/${order.id}`, {
    version: order.version,
    customer_name: 'Maria Outra',
  })
  expect(answer.statusCode).toBe(200)
  await recordEvent(ctx, {
    ...{ subject: 'order', subject_id: order.id, kind: 'claim.sent' },
    changes: { claim_id: 7, number: 'HND 77', status: ['created', 'completed'] },
  })
  await expect.poll(() => receiver.got.length).toBe(2)
  expect(messages()).toMatchObject([
    { type: 'order.changed', data: { order_id: order.id, os_number: order.os_number, company_id: mine.id } },
    { type: 'claim.sent', data: { order_id: order.id, claim_id: 7, status: ['created', 'completed'] } },
  ])
  for (const { headers, body } of receiver.got)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body))
  expect(receiver.got.map(({ body }) => body).join()).not.toMatch(/Maria|Berta|HND/)
  const stored = await ctx.db.selectFrom('webhooks').select('encrypted_secret').execute()
  expect(JSON.stringify(stored)).not.toContain(secret.slice(6))

  // What is rolled back is not told of.
  await ctx.db
    .transaction()
    .execute(async (db) => {
      await recordEvent({ ...ctx, db }, { subject: 'order', subject_id: order.id, kind: 'deleted' })
      throw new Error('rolled back')
    })
    .catch(() => undefined)
  expect(await messagesOf(id)).toHaveLength(2)
  expect(await run('remover', String(id))).toMatchObject({ code: DONE })
  expect(await run('remover', String(id))).toMatchObject({ code: FAILED, err: 'Webhook não encontrado.\n' })
})

test('a message that is not taken is tried again, given up after a day, and sent again when somebody asks', async () => {
  receiver.got.length = 0
  const { id } = await created()
  const order = await testApp.make.order()
  receiver.status = 302
  await recordEvent(ctx, { subject: 'order', subject_id: order.id, kind: 'changed', changes: {} })
  const delivery = () =>
    ctx.db
      .selectFrom('webhook_deliveries')
      .where('webhook_id', '=', id)
      .select(['error', 'next_at'])
      .executeTakeFirst()
  await expect.poll(async () => (await delivery())?.error).toBe('respondeu 302')
  expect((await delivery())?.next_at?.getTime()).toBeLessThan(Date.now() + 6_000)
  // As after a day of attempts: before the second one, which is due in five seconds.
  await ctx.db.updateTable('webhook_deliveries').set({ attempts: 6 }).where('webhook_id', '=', id).execute()
  await dueNow()
  await expect.poll(async () => (await messagesOf(id))[0]?.attempts).toBe(7)
  const [seventh] = await messagesOf(id)
  expect(Date.parse(seventh?.next_at ?? '') - Date.now()).toBeGreaterThan(13 * 3_600_000)
  await dueNow()
  await expect
    .poll(async () => (await messagesOf(id, '--falhas'))[0])
    .toMatchObject({ attempts: 8, next_at: null, sent_at: null, error: 'respondeu 302' })
  expect((await operatorCommand(testApp, ['doutor'])).out).toContain(`webhook ${id}`)

  receiver.status = 200
  expect(await run('reenviar', String(id))).toMatchObject({ code: DONE, out: '1 mensagem na fila.\n' })
  await expect.poll(async () => (await messagesOf(id))[0]?.sent_at).not.toBe(null)
  expect(new Set(receiver.got.map((one) => one.id)).size).toBe(1)
  expect(receiver.got).toHaveLength(4)
  expect(await run('mensagens', String(id), '--falhas')).toMatchObject({ code: NOTHING })

  // Gone: nothing more is sent until somebody says so.
  receiver.status = 410
  await recordEvent(ctx, { subject: 'order', subject_id: order.id, kind: 'changed', changes: {} })
  await expect.poll(async () => (await run('listar')).out).toContain('desativado')
  await recordEvent(ctx, { subject: 'order', subject_id: order.id, kind: 'changed', changes: {} })
  expect(await messagesOf(id)).toHaveLength(2)
  receiver.status = 200
  await run('reenviar', String(id))
  await expect.poll(async () => (await messagesOf(id))[0]?.sent_at).not.toBe(null)
  await run('remover', String(id))
})

test('only addresses of the internet are called unless the house says otherwise', async () => {
  expect(await run('criar', '--url', 'ftp://a.example')).toMatchObject({ code: USAGE })
  expect(await run('criar', '--url', 'https://a.example', '--assuntos', 'lua')).toMatchObject({ code: USAGE })
  expect(await run('criar', '--url', 'https://a.example', '--empresa', '999999')).toMatchObject({
    code: FAILED,
  })
  await using strict = await startTestApp()
  const order = await strict.make.order()
  const webhooks = (...args: string[]) => operatorCommand(strict, ['webhooks', ...args])
  const port = new URL(receiver.url).port
  expect(await webhooks('criar', '--url', receiver.url)).toMatchObject({ code: USAGE, err: `${NO_HTTPS}\n` })
  for (const url of [
    `https://localhost:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    'https://169.254.169.254/',
    'https://made-before.example/',
  ])
    expect(await webhooks('criar', '--url', url)).toMatchObject({ code: DONE })
  // As one that was made while plain http was allowed.
  await strict.kernel.ctx.db
    .updateTable('webhooks')
    .set({ url: receiver.url })
    .where('url', 'like', '%made-before%')
    .execute()
  receiver.got.length = 0
  await recordEvent(strict.kernel.ctx, {
    subject: 'order',
    subject_id: order.id,
    kind: 'changed',
    changes: {},
  })
  const strictWorker = await startWorker(strict.kernel)
  try {
    await expect
      .poll(async () => JSON.parse((await webhooks('listar', '--json')).out))
      .toMatchObject([{ failed: 1 }, { failed: 1 }, { failed: 1 }, { failed: 1 }])
  } finally {
    await strictWorker.stop()
  }
  expect(receiver.got).toEqual([])
})
