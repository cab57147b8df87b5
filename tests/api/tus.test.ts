import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { openKernel } from '@garantia/server/kernel'
import type { UploadResult } from '@garantia/shared/evidence/schema'
import { afterAll, describe, expect, test } from 'vitest'
import { slowness } from '../support/machine-speed.ts'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'
import { CHUNK_CONTENT_TYPE, chunkHeaders, createUpload, creationHeaders, TUS } from '../support/tus.ts'

const STALL_S = 1.5
const ORIGIN = 'https://desk.exemplo'
const testApp = await startTestApp({ UPLOAD_STALL_SECONDS: String(STALL_S), CORS_ORIGINS: ORIGIN })
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const base = await testApp.listen()
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const order = await testApp.make.order()
const parts = async () =>
  (await testApp.filesOnDisk()).filter((path) => path.startsWith(ctx.config.partial_files_dir))
const offsetOf = async (path: string) =>
  Number((await boss.api('HEAD', path, undefined, TUS)).headers['upload-offset'])
const large = async (bytes: number) => Buffer.concat([await picture(), Buffer.alloc(bytes, 5)])

/** Sends a chunk over a real socket, of which only some bytes arrive. */
async function pour(path: string, offset: number, body: Buffer, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const all = {
    ...{ host: hostname, authorization: `Bearer ${boss.token}`, ...chunkHeaders(offset) },
    ...{ 'content-length': String(body.length), ...headers },
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.write(`PATCH /api/v1${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  return socket
}
const answerOn = async (socket: Socket) => {
  const [text] = await once(socket, 'data')
  return String(text)
}

test('uploads over a socket are stored byte for byte, by multipart and tus (D-22)', async () => {
  const files = await Promise.all(
    [1, 2, 3].map(async () => Buffer.concat([await picture(), randomBytes(3_000_000)])),
  )
  const form = new FormData()
  for (const content of files) form.append('files', new Blob([new Uint8Array(content)]), 'foto.jpg')
  const headers = { authorization: `Bearer ${boss.token}` }
  const answer = await fetch(`${base}/api/v1/evidence/${order.id}/upload`, {
    method: 'POST',
    headers,
    body: form,
  })
  expect(answer.status, await answer.clone().text()).toBe(201)
  const { uploaded } = (await answer.json()) as UploadResult
  expect(uploaded).toHaveLength(3)
  const other = await testApp.make.order()
  const [content = Buffer.alloc(0)] = files
  const begun = await fetch(`${base}/api/v1/uploads`, {
    method: 'POST',
    headers: {
      ...headers,
      ...creationHeaders(content.length, { order_id: other.id, filename: 'foto.jpg' }),
      'content-type': CHUNK_CONTENT_TYPE,
    },
    body: new Uint8Array(content),
  })
  const single = (await begun.json()) as UploadResult
  for (const [index, id] of [...uploaded, ...single.uploaded].map(({ id }) => id).entries()) {
    const kept = await boss.api('GET', `/evidence/${id}/download?original=true`)
    expect(kept.rawPayload.equals(files[index % 3] ?? Buffer.alloc(0))).toBe(true)
  }
})

describe('two connections for one upload', () => {
  test('cancelling an upload closes its busy connection and removes it immediately', async () => {
    const path = await createUpload(boss, order.id, 50_000_000)
    const socket = await pour(path, 0, Buffer.alloc(50_000_000))
    let isSending = true
    const sent = (async () => {
      for (; isSending; await wait(20)) socket.write(Buffer.alloc(50_000))
    })()
    await expect.poll(parts).toHaveLength(1)
    expect((await boss.api('DELETE', path, undefined, TUS)).statusCode).toBe(204)
    isSending = false
    await sent
    socket.destroy()
    expect((await boss.api('HEAD', path, undefined, TUS)).statusCode).toBe(404)
    expect(await parts()).toEqual([])
  })

  test('two concurrent chunks: one is written, the other gets a conflict, and the file is consistent', async () => {
    const content = await large(400_000)
    const path = await createUpload(boss, order.id, content.length)
    const answers = await Promise.all([
      boss.api('PATCH', path, content, chunkHeaders(0)),
      boss.api('PATCH', path, content, chunkHeaders(0)),
      boss.api('PATCH', path, content, chunkHeaders(0)),
    ])
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([200, 409, 409])
    const file = answers.find(({ statusCode }) => statusCode === 200)?.json().uploaded[0]
    const download = await boss.api('GET', `/evidence/${file.id}/download?original=true`)
    expect(download.rawPayload.equals(content)).toBe(true)
  })

  test('a reconnecting client takes over from the stalled connection, and no byte is lost', async () => {
    const content = await large(300_000)
    const path = await createUpload(boss, order.id, content.length)
    const hanging = await pour(path, 0, content)
    hanging.write(content.subarray(0, 200_000))
    await expect.poll(parts).toHaveLength(1)
    await wait(100)
    const offset = await offsetOf(path)
    expect(offset).toBe(200_000)
    const answer = await boss.api('PATCH', path, content.subarray(offset), chunkHeaders(offset))
    expect(answer.statusCode).toBe(200)
    hanging.destroy()
    expect(await parts()).toEqual([])
  })

  test('to two servers: the second refuses it while the first writes, and takes it once the first is killed', async () => {
    const path = await createUpload(boss, order.id, 1_000)
    const second = await openKernel(ctx.config, ctx.log, { connections: 1 })
    const hold = await second.ctx.advisoryLocks.acquire(
      path.slice(1).replace('uploads', 'upload'),
      () => undefined,
      0,
    )
    expect(hold?.isHeld()).toBe(true)
    const refused = await boss.api('PATCH', path, 'xx', chunkHeaders(0))
    expect([refused.statusCode, refused.json().detail]).toEqual([
      409,
      'Este envio está em andamento em outra conexão. Tente de novo em instantes.',
    ])
    await second.close()
    expect(hold?.isHeld()).toBe(false)
    expect((await boss.api('PATCH', path, 'xx', chunkHeaders(0))).statusCode).toBe(204)
    await boss.api('DELETE', path, undefined, TUS)
  })
})

test('a broken connection keeps the received bytes, and a silent one is closed with 408 (reliability 8)', async () => {
  const content = await large(100_000)
  const path = await createUpload(boss, order.id, content.length)
  const broken = await pour(path, 0, content)
  broken.write(content.subarray(0, 30_000))
  await expect.poll(parts).toHaveLength(1)
  await wait(100)
  broken.destroy()
  await expect.poll(() => offsetOf(path)).toBe(30_000)
  const silent = await pour(path, 30_000, content.subarray(30_000))
  silent.write(content.subarray(30_000, 50_000))
  expect(await answerOn(silent)).toMatch(/^HTTP\/1\.1 408 .*"detail":"A requisição demorou demais/s)
  silent.destroy()
  expect(await offsetOf(path)).toBe(50_000)
  await boss.api('DELETE', path, undefined, TUS)
})

test('a hundred and fifty open uploads occupy no database connection, and other requests are served', async () => {
  const paths = await Promise.all(Array.from({ length: 150 }, () => createUpload(boss, order.id, 1_000)))
  const sockets = await Promise.all(paths.map((path) => pour(path, 0, Buffer.alloc(900))))
  for (const socket of sockets) socket.write(Buffer.alloc(100))
  const started = performance.now()
  expect((await boss.api('GET', '/users/me')).statusCode).toBe(200)
  expect(performance.now() - started).toBeLessThan(5_000 * slowness())
  expect(testApp.kernel.pool.totalCount).toBeLessThanOrEqual(6)
  const answers = await Promise.all(sockets.map(answerOn))
  expect(answers.every((answer) => answer.startsWith('HTTP/1.1 408'))).toBe(true)
  for (const socket of sockets) socket.destroy()
  expect(await Promise.all(paths.map(offsetOf))).toEqual(Array(150).fill(100))
})

test('a script of an allowed origin may read the headers of the protocol, and OPTIONS lists them (API-2)', async () => {
  const cors = { origin: ORIGIN }
  const preflight = await testApp.app.inject({
    method: 'OPTIONS',
    url: '/api/v1/uploads',
    headers: {
      ...cors,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'tus-resumable,upload-offset,authorization',
    },
  })
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': ORIGIN,
    'access-control-allow-headers': 'tus-resumable,upload-offset,authorization',
  })
  const made = await boss.api('POST', '/uploads', undefined, {
    ...cors,
    ...creationHeaders(9, { order_id: order.id, filename: 'a' }),
  })
  expect(made.headers['access-control-allow-origin']).toBe(ORIGIN)
  const exposed = String(made.headers['access-control-expose-headers']).split(', ')
  expect(exposed).toEqual(
    expect.arrayContaining([
      'location',
      'upload-offset',
      'upload-length',
      'upload-expires',
      'upload-evidence-id',
    ]),
  )
  await using plain = await startTestApp()
  const options = await plain.app.inject({ method: 'OPTIONS', url: '/api/v1/uploads' })
  expect([options.statusCode, options.headers]).toMatchObject([
    204,
    {
      allow: 'POST, OPTIONS',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration',
      'tus-max-size': '2048000000',
    },
  ])
})
