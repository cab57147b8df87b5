import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { openLog } from '@garantia/server/kernel'
import Fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { registerBodyParsers } from '../../server/src/http/body-parsers.ts'
import { refuseUnreadable } from '../../server/src/http/unreadable.ts'
import { multipart, startTestApp } from '../support/test-app.ts'
import { createOpenApiChecker } from './openapi-checker.ts'

const lines: string[] = []
const testApp = await startTestApp(
  { CORS_ORIGINS: 'https://painel.exemplo.com.br, https://outro.exemplo.com.br' },
  openLog('info', 'teste', { write: (line) => void lines.push(line) }),
)
const plain = await startTestApp()
afterAll(() => Promise.all([testApp[Symbol.asyncDispose](), plain[Symbol.asyncDispose]()]))

const user = await testApp.make.user({ is_superuser: true })
const boss = await testApp.as(user)
const order = await testApp.make.order()
const { calls } = await createOpenApiChecker(testApp.app)
const ORIGIN = 'https://painel.exemplo.com.br'

describe('x-request-id', () => {
  test.each(['pedido-123', 'A.b_c-0123456789', '0'.repeat(64)])(
    '%s is kept, in the answer and in the log',
    async (id) => {
      const answer = await boss.api('GET', '/brands', undefined, { 'x-request-id': id })
      expect(answer.headers['x-request-id']).toBe(id)
      expect(lines.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({
          reqId: id,
          msg: 'resposta',
          method: 'GET',
          route: '/api/v1/brands',
          status: 200,
          ms: expect.any(Number),
          user_id: user.id,
        }),
      )
    },
  )

  test.each(['curto', 'x'.repeat(65), 'com espaço aqui', 'a"b}{"level":60', 'ação-ação-ação', ''])(
    '«%s» is replaced',
    async (id) => {
      const { headers } = await boss.api('GET', '/brands', undefined, { 'x-request-id': id })
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    },
  )
})

describe('HEAD, OPTIONS and Allow', () => {
  const reads = calls.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  test.each(reads)('HEAD $path has the headers of its GET and no body', async ({ path }) => {
    const [get, head] = [await boss.api('GET', path), await boss.api('HEAD', path)]
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([
      get.statusCode,
      get.headers['content-type'],
      '',
    ])
  })

  test('HEAD of a download and of a package returns their headers', async () => {
    const file = await testApp.make.converted({ order_id: order.id }, Buffer.alloc(5_000, 7))
    const one = await boss.api('HEAD', `/evidence/${file.id}/download`)
    expect([one.statusCode, one.headers['content-length'], one.body]).toEqual([200, '5000', ''])
    const all = await boss.api('HEAD', `/evidence/${order.id}/download-all`)
    expect([all.statusCode, all.headers['content-type'], all.body]).toEqual([200, 'application/zip', ''])
  })

  const addresses = [...new Set(calls.map(({ path }) => path))]
  test.each(addresses)('%s lists its methods for OPTIONS, and answers any other 405', async (path) => {
    const url = `/api/v1${path.replace('{email}', 'a@b.co').replace(/\{\w+\}/g, '1')}`
    const own = calls.filter((one) => one.path === path).map(({ method }) => method)
    const { statusCode, headers } = await plain.app.inject({ method: 'OPTIONS', url })
    expect([statusCode, String(headers.allow).split(', ')]).toEqual([
      204,
      expect.arrayContaining([...own, 'OPTIONS']),
    ])
    const allowed = String(headers.allow).split(', ')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (allowed.includes(method)) continue
      const answer = await plain.app.inject({ method, url })
      expect([method, answer.statusCode, answer.json()]).toEqual([
        method,
        405,
        { detail: 'Method Not Allowed' },
      ])
      expect(answer.headers.allow).toBe(allowed.filter((one) => one !== 'OPTIONS').join(', '))
    }
  })
})

describe('CORS (API-2)', () => {
  const preflight = (origin: string, method = 'PATCH') =>
    testApp.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/users/me',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    })

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'allows a listed origin %s, with credentials',
    async (method) => {
      const { statusCode, headers } = await preflight(ORIGIN, method)
      expect(statusCode).toBe(204)
      expect(headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'authorization,content-type',
      })
      expect(String(headers['access-control-allow-methods']).split(', ')).toContain(method)
      expect(headers.vary).toMatch(/origin/i)
    },
  )

  test('exposes the headers a listed origin needs to read', async () => {
    const { headers } = await boss.api('GET', '/brands', undefined, { origin: ORIGIN })
    expect(headers['access-control-allow-origin']).toBe(ORIGIN)
    for (const name of ['x-request-id', 'etag', 'retry-after', 'content-disposition'])
      expect(String(headers['access-control-expose-headers'])).toContain(name)
  })

  test.each([
    'https://alheio.exemplo.com',
    'null',
    'https://painel.exemplo.com.br.alheio.com',
    `${ORIGIN}:8443`,
  ])('sends %s no CORS headers', async (origin) => {
    const asked = await preflight(origin)
    expect(asked.headers['access-control-allow-origin']).toBeUndefined()
    const { headers } = await boss.api('GET', '/brands', undefined, { origin })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test('is off unless origins are listed', async () => {
    const { headers } = await plain.anonymous.api('GET', '/utils/health-check', undefined, { origin: ORIGIN })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

test('an answer that does not say so is kept by no browser', async () => {
  const answer = await boss.api('GET', '/users/me')
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
})

describe('a poll is answered 304 until something changes (D-24)', () => {
  test.each(['/evidence/{}/evidence', '/evidence-conversion/{}/conversion-report'])('%s', async (pattern) => {
    const { id } = await testApp.make.order()
    const path = pattern.replace('{}', String(id))
    const file = await testApp.make.evidence({ order_id: id })
    const poll = (etag: string) => boss.api('GET', path, undefined, { 'if-none-match': etag })
    const first = await boss.api('GET', path)
    const etag = String(first.headers.etag)
    expect([first.statusCode, etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{22}"$/)])
    expect(first.headers['cache-control']).toBe('private, no-cache')
    for (const tag of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const again = await poll(tag)
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    }

    const { db } = testApp.kernel.ctx
    const begun = { status: 'converting' as const, started_at: new Date(), progress: 10 }
    await db.updateTable('evidence_files').set(begun).where('id', '=', file.id).execute()
    const running = await poll(etag)
    expect(running.statusCode).toBe(200)
    await db.updateTable('evidence_files').set({ progress: 20 }).where('id', '=', file.id).execute()
    expect((await poll(String(running.headers.etag))).statusCode).toBe(200)

    const before = String((await boss.api('GET', path)).headers.etag)
    await testApp.make.evidence({ order_id: id })
    expect((await poll(before)).statusCode).toBe(200)
  })

  test('but a queued file changes with the queue, so its list is never cached', async () => {
    const { id } = await testApp.make.order()
    await testApp.make.evidence({ order_id: id, status: 'converting' })
    const { headers } = await boss.api('GET', `/evidence/${id}/evidence`)
    expect(headers.etag).toBeUndefined()
  })

  test('an ETag grants no access: unauthorised users still get 401 or 404', async () => {
    const path = `/evidence/${order.id}/evidence`
    const etag = String((await boss.api('GET', path)).headers.etag)
    const headers = { 'if-none-match': etag }
    expect((await testApp.anonymous.api('GET', path, undefined, headers)).statusCode).toBe(401)
    const otherCompanyUser = await testApp.as(await testApp.make.user())
    expect((await otherCompanyUser.api('GET', path, undefined, headers)).statusCode).toBe(404)
  })

  test('a download the client already has is answered 304', async () => {
    const { id } = await testApp.make.converted()
    const path = `/evidence/${id}/download`
    const { headers } = await boss.api('GET', path)
    const again = await boss.api('GET', path, undefined, { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})

describe('a compressed body is 415 that names what is accepted', () => {
  test.each(['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip'])('%s', async (encoding) => {
    const login = JSON.stringify({ username: 'x', password: 'y' })
    const headers = { 'content-encoding': encoding, 'content-type': 'application/json' }
    const answer = await boss.api('POST', '/token', gzipSync(login), headers)
    expect([answer.statusCode, answer.json(), answer.headers['accept-encoding']]).toEqual([
      415,
      { detail: 'Envie o corpo sem compressão (Content-Encoding: identity).' },
      'identity',
    ])
    const parts = multipart([{ name: 'files', filename: 'a.jpg', content: 'x' }])
    const upload = await boss.api('POST', `/evidence/${order.id}/upload`, gzipSync(parts.body), {
      ...parts.headers,
      'content-encoding': encoding,
    })
    expect(upload.statusCode).toBe(415)
  })

  test('identity is accepted, since it changes nothing', async () => {
    const answer = await boss.api(
      'PATCH',
      '/users/me',
      { full_name: 'Ana' },
      { 'content-encoding': 'identity' },
    )
    expect(answer.statusCode).toBe(200)
  })
})

test('a body without a declared length is cut off at 1 MB like any other', async () => {
  const base = await testApp.listen()
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    `POST /api/v1/service-orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${boss.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  const chunk = ' '.repeat(100_000)
  for (let sent = 0; sent < 12; sent++) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 .*O corpo da requisição passa de 1 MB\./s)
  socket.destroy()
})

describe('a body that arrives too slowly', () => {
  test('is 408 with detail, the connection is closed, and others are served meanwhile', async () => {
    const app = Fastify()
    registerBodyParsers(app, 300)
    app.post('/', async ({ body }) => body)
    const { hostname, port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const slow = connect(Number(port), hostname)
    slow.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"a":',
    )
    const quick = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })
    expect(quick.json()).toEqual({ a: 1 })
    const [answer] = await once(slow, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 .*A requisição demorou demais para chegar\./s)
    slow.destroy()
    await app.close()
  })

  test('is given back: who goes on dripping after the answer is cut off', async () => {
    const limits = { headersTimeout: 200, requestTimeout: 1_000, connectionsCheckingInterval: 50 }
    const server = createServer(limits).on('clientError', refuseUnreadable)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const connections = () =>
      new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
    const slow = Array.from({ length: 100 }, () => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => undefined)
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
      const drip = setInterval(() => socket.writable && socket.write('X'), 100)
      socket.once('close', () => clearInterval(drip))
      return socket
    })
    await expect.poll(connections).toBe(100)
    await expect.poll(connections, { timeout: 10_000 }).toBe(0)
    for (const socket of slow) socket.destroy()
    server.close()
  })

  test('a connection reset within a JSON body does no harm', async () => {
    const base = await testApp.listen()
    const { hostname, port } = new URL(base)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(Number(port), hostname)
        socket.write(
          `POST /api/v1/service-orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${boss.token}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"os_number":`,
        )
        await once(socket, 'connect')
        socket.destroy()
      }),
    )
    expect((await fetch(`${base}/api/v1/utils/health-check`)).status).toBe(200)
    expect(lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)).toEqual([])
  })
})

test('a URL that is too long or badly escaped is refused with the same checks', async () => {
  for (const url of [`/api/v1/users/${'x'.repeat(6_000)}`, '/api/v1/brands/%zz']) {
    const { headers, body } = await testApp.app.inject({ method: 'GET', url })
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src '"),
    })
    expect(Object.keys(JSON.parse(body))).toEqual(['detail'])
  }
})
