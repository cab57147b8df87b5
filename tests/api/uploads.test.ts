import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { picture } from '../support/make.ts'
import { multipart, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp({ UPLOAD_MAX_FILE_MB: '3' })
afterAll(() => testApp[Symbol.asyncDispose]())
const base = await testApp.listen()
const { hostname, port } = new URL(base)
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))

const file = async (size: number) => Buffer.concat([await picture(), Buffer.alloc(size)])
const rows = () => testApp.kernel.ctx.db.selectFrom('evidence_files').selectAll().execute()
const nothingIsLeft = async (files = 0) => {
  await vi.waitFor(async () => expect(await testApp.filesOnDisk()).toHaveLength(files), {
    timeout: 5_000,
    interval: 50,
  })
  expect(await rows()).toHaveLength(files)
}

/** A raw upload of which only the first part is sent before the connection is cut. */
async function cutUpload(order_id: number, share: number, size: number) {
  const { body, headers } = multipart([{ name: 'files', filename: 'a.jpg', content: await file(size) }])
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    [
      `POST /api/v1/evidence/${order_id}/upload HTTP/1.1`,
      `Host: ${hostname}`,
      `Authorization: Bearer ${boss.token}`,
      `Content-Type: ${headers['content-type']}`,
      `Content-Length: ${body.length}`,
      '\r\n',
    ].join('\r\n'),
  )
  socket.write(body.subarray(0, Math.floor(body.length * share)))
  await vi.waitFor(async () => expect((await testApp.filesOnDisk()).length).toBeGreaterThan(0), {
    timeout: 5_000,
    interval: 20,
  })
  socket.destroy()
}

test.each([0.3, 0.5, 0.95])(
  'a connection cut at %f of the upload leaves no row and no file (reliability 3)',
  async (share) => {
    const order = await testApp.make.order()
    await cutUpload(order.id, share, 2_000_000)
    await nothingIsLeft()
    expect((await boss.api('GET', `/service-orders/${order.id}`)).json()).toMatchObject({ status: 'created' })
  },
)

test('twenty connections cut at once leave nothing either, and the server goes on (reliability 3)', async () => {
  const order = await testApp.make.order()
  await Promise.all(Array.from({ length: 20 }, () => cutUpload(order.id, 0.5, 400_000)))
  await nothingIsLeft()
  expect((await fetch(`${base}/api/v1/utils/health-check/`)).status).toBe(200)
})

test('a file over the limit is 413 to a client that is still sending, and leaves nothing (D-03)', async () => {
  const order = await testApp.make.order()
  const { body, headers } = multipart([{ name: 'files', filename: 'a.jpg', content: await file(12_000_000) }])
  const answer = await fetch(`${base}/api/v1/evidence/${order.id}/upload`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { ...headers, authorization: `Bearer ${boss.token}` },
  })
  expect([answer.status, await answer.json()]).toEqual([
    413,
    { detail: '«a.jpg» passa de 3 MB, o máximo por arquivo enviado.' },
  ])
  expect(answer.headers.get('x-request-id')).toBeTruthy()
  await nothingIsLeft()
})

test('a file over the limit does not affect the files after it (D-22)', async () => {
  const order = await testApp.make.order()
  const { body, headers } = multipart([
    { name: 'files', filename: 'grande.jpg', content: await file(9_000_000) },
    { name: 'files', filename: 'boa.jpg', content: await file(1_000_000) },
  ])
  const answer = await fetch(`${base}/api/v1/evidence/${order.id}/upload`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { ...headers, authorization: `Bearer ${boss.token}` },
  })
  expect([answer.status, await answer.json()]).toMatchObject([
    201,
    { uploaded: [{ original_filename: 'boa.jpg' }], errors: [{ filename: 'grande.jpg', code: 'too_large' }] },
  ])
  await nothingIsLeft(1)
  await testApp.kernel.ctx.db.deleteFrom('evidence_files').execute()
  await testApp.kernel.ctx.storage.remove((await testApp.filesOnDisk())[0]?.split('/files/')[1] ?? '')
})

test('an anonymous client with a large body gets 401 and nothing of it is stored', async () => {
  const order = await testApp.make.order()
  const { body, headers } = multipart([{ name: 'files', filename: 'a.jpg', content: await file(2_000_000) }])
  const answer = await fetch(`${base}/api/v1/evidence/${order.id}/upload`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers,
  })
  expect(answer.status).toBe(401)
  await nothingIsLeft()
})

test('an aborted download leaves no file open (reliability 7)', async () => {
  const own = await testApp.make.converted({}, Buffer.alloc(2_500_000, 7))
  for (const path of [`/evidence/${own.id}/download`, `/evidence/${own.order_id}/download-all`]) {
    const socket = connect(Number(port), hostname)
    socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${boss.token}\r\n\r\n`)
    await once(socket, 'data')
    socket.destroy()
  }
  await wait(200)
  const open = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  expect(open.filter((path) => path.startsWith(testApp.dir))).toEqual([])
})

test('an invalid HTTP request is refused with a detail, and the server goes on (reliability 23)', async () => {
  for (const text of ['isto não é HTTP\r\n\r\n', `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`]) {
    const socket = connect(Number(port), hostname)
    socket.write(text)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 4\d\d .*x-request-id: .*"detail":/s)
    socket.destroy()
  }
  expect((await fetch(`${base}/api/v1/utils/health-check/`)).status).toBe(200)
})
