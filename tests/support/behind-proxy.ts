import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import type { UploadResult } from '@garantia/shared/evidence/schema'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { picture } from './make.ts'
import type { RunningProxy } from './proxy.ts'
import { multipart, PASSWORD, startTestApp } from './test-app.ts'
import { chunkHeaders, createUpload, TUS } from './tus.ts'

/** Failures after which an account is closed to a network. */
const LOGIN_LIMIT = 2
/** Beyond what nginx keeps in memory and takes without being told (16 KB, 1 MB). */
const LARGE = 6_000_000

/** The tests of a proxy in front of a listening server: each must pass what the server and the browser rely on. */
export async function testBehind(start: (target: string) => Promise<RunningProxy>) {
  const testApp = await startTestApp({ LOGIN_LIMIT: String(LOGIN_LIMIT), UPLOAD_STALL_SECONDS: '1' })
  const proxy = await start(await testApp.listen())
  afterAll(async () => {
    await proxy.stop()
    await testApp[Symbol.asyncDispose]()
  })
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const authorization = `Bearer ${boss.token}`

  interface Call {
    method?: string
    headers?: Record<string, string | number>
    /** The address from which the caller reaches the proxy. */
    from?: string
  }
  const open = (path: string, { from = '127.0.0.1', ...call }: Call) => {
    const opened = request(`${proxy.url}${path}`, { agent: false, localAddress: from, ...call })
    const answered = once(opened, 'response').then(([answer]) => answer as IncomingMessage)
    opened.on('error', () => undefined)
    return { opened, answered }
  }
  async function call(path: string, { body = Buffer.alloc(0), ...given }: Call & { body?: Buffer }) {
    const headers = { ...given.headers, ...(body.length > 0 && { 'content-length': body.length }) }
    const { opened, answered } = open(path, { ...given, headers })
    opened.end(body)
    const answer = await answered
    return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(await answer.toArray()) }
  }

  const FORGED = '203.0.113.9'
  const signIn = (from: string, username: string, password: string) =>
    call('/api/v1/login/access-token', {
      method: 'POST',
      from,
      headers: {
        'x-forwarded-for': FORGED,
        forwarded: `for=${FORGED}`,
        'x-real-ip': FORGED,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: Buffer.from(new URLSearchParams({ username, password }).toString()),
    })

  test('the audit trail has the address that called the proxy, not the one it claimed', async () => {
    const { email } = await testApp.make.user()
    expect((await signIn('127.0.5.6', email, PASSWORD)).status).toBe(200)
    const newest = testApp.kernel.ctx.db.selectFrom('events').orderBy('id', 'desc').limit(1)
    expect(await newest.select(['kind', 'ip']).executeTakeFirst()).toEqual({
      kind: 'signed_in',
      ip: '127.0.5.6',
    })
  })

  test('failures are counted for the network that called the proxy, and for no other', async () => {
    const { email } = await testApp.make.user()
    for (let failure = 0; failure < LOGIN_LIMIT; failure++)
      expect((await signIn('127.0.6.1', email, 'errada')).status).toBe(400)
    const refused = await signIn('127.0.6.2', email, PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await signIn('127.0.7.1', email, PASSWORD)).status).toBe(200)
  })

  test('a large upload arrives and is read again in ranges', async () => {
    const order = await testApp.make.order()
    const content = Buffer.concat([await picture(), randomBytes(LARGE)])
    const form = multipart([{ name: 'files', filename: 'foto.jpg', content }])
    const answer = await call(`/api/v1/evidence/${order.id}/upload`, {
      method: 'POST',
      headers: { authorization, ...form.headers },
      body: form.body,
    })
    expect(answer.status, String(answer.body)).toBe(201)
    const [file] = (JSON.parse(String(answer.body)) as UploadResult).uploaded
    const path = `/api/v1/evidence/${file?.id}/download?original=true`
    const whole = await call(path, { headers: { authorization } })
    expect([whole.status, whole.headers['content-length']]).toEqual([200, String(content.length)])
    expect(whole.body.equals(content)).toBe(true)
    const etag = String(whole.headers.etag)
    const range = { authorization, range: 'bytes=1000-4000999', 'if-range': etag }
    const part = await call(path, { headers: range })
    expect([part.status, part.headers['content-range'], part.headers.etag]).toEqual([
      206,
      `bytes 1000-4000999/${content.length}`,
      etag,
    ])
    expect(part.body.equals(content.subarray(1000, 4_001_000))).toBe(true)
    expect((await call(path, { headers: { authorization, 'if-none-match': etag } })).status).toBe(304)
  })

  test('an upload is refused with its reason before its body was read', async () => {
    const order = await testApp.make.order()
    const form = multipart([{ name: 'files', filename: 'foto.jpg', content: randomBytes(LARGE) }])
    const path = `/api/v1/evidence/${order.id}/upload`
    const refused = await call(path, { method: 'POST', headers: form.headers, body: form.body })
    expect([refused.status, JSON.parse(String(refused.body))]).toEqual([401, { detail: 'Not authenticated' }])
  })

  test('bytes reach the server as they are sent: what arrived before a silence is kept, and 408', async () => {
    const order = await testApp.make.order()
    const content = Buffer.concat([await picture(), randomBytes(LARGE)])
    const path = await createUpload(boss, order.id, content.length)
    const sent = 1_500_000
    const { opened, answered } = open(`/api/v1${path}`, {
      method: 'PATCH',
      headers: { authorization, ...chunkHeaders(0), 'content-length': content.length },
    })
    opened.write(content.subarray(0, sent))
    const partial = async () => {
      const files = await testApp.filesOnDisk()
      return files.filter((name) => name.startsWith(testApp.kernel.ctx.config.partial_files_dir))
    }
    const arrived = async () => (await partial()).reduce((sum, name) => sum + statSync(name).size, 0)
    await expect.poll(arrived, { interval: 20 }).toBeGreaterThan(0)
    expect((await answered).statusCode).toBe(408)
    opened.destroy()
    const { headers } = await call(`/api/v1${path}`, { method: 'HEAD', headers: { authorization, ...TUS } })
    const offset = Number(headers['upload-offset'])
    expect(offset).toBe(sent)
    const rest = await call(`/api/v1${path}`, {
      method: 'PATCH',
      headers: { authorization, ...chunkHeaders(offset) },
      body: content.subarray(offset),
    })
    expect(rest.status).toBe(200)
  })

  test('what people search for and the secrets of addresses are in no log, also when the server is away', async () => {
    const away = await start('http://127.0.0.1:9')
    onTestFinished(() => away.stop())
    const secrets = ['52998224725', 'segredo-do-calendario']
    const [search = '', calendar = ''] = secrets
    for (const path of [`/api/v1/service-orders?search=${search}`, `/api/v1/calendar/${calendar}.ics`]) {
      expect((await call(path, { headers: { authorization } })).status).toBeLessThan(500)
      const failed = await fetch(`${away.url}${path}`)
      expect(failed.status).toBe(502)
    }
    for (const secret of secrets) {
      expect(proxy.log()).not.toContain(secret)
      expect(away.log()).not.toContain(secret)
    }
  })

  test('a notification reaches an open page at once', async () => {
    const file = await testApp.make.evidence()
    const input = encodeURIComponent(JSON.stringify({ order_id: file.order_id }))
    const signed = await call(`/trpc/live.address?input=${input}`, { headers: { authorization } })
    const { opened, answered } = open(JSON.parse(String(signed.body)).result.data.url, {})
    opened.end()
    const stream = await answered
    let heard = ''
    stream.on('data', (text) => {
      heard += text
    })
    stream.on('error', () => undefined)
    // The stream stays open: what is read here was not held back.
    await vi.waitFor(() => expect(heard).toContain('data: '), 10_000)
    const before = heard.length
    await testApp.kernel.ctx.db
      .updateTable('evidence_files')
      .set({ progress: 40 })
      .where('id', '=', file.id)
      .execute()
    await vi.waitFor(() => expect(heard.slice(before)).toContain('data: ["evidence"]'), 10_000)
    expect(stream.complete).toBe(false)
    opened.destroy()
  })
}
