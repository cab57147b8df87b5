import { readFileSync } from 'node:fs'
import { readConfig } from '@garantia/server/kernel'
import { afterAll, describe, expect, test } from 'vitest'
import { DOSSIER_KEY, PASSWORD, SIGNING_KEY, startTestApp } from '../support/test-app.ts'

const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')
/** What docs/operating.md says for a proxy in a container. */
const [, documented] = /`HOST=0\.0\.0\.0 TRUSTED_PROXIES=(\S+)`/.exec(page) ?? []

const apps = {
  default: await startTestApp(),
  none: await startTestApp({ TRUSTED_PROXIES: 'none' }),
  container: await startTestApp({
    TRUSTED_PROXIES: `${documented}, 10.0.0.5`,
    APP_URL: 'https://garantia.exemplo.com.br',
  }),
}
afterAll(() => Promise.all(Object.values(apps).map((testApp) => testApp[Symbol.asyncDispose]())))

/** The address under which the server knows who signs in. */
async function seenAs(testApp: (typeof apps)['default'], remoteAddress: string, forwarded: string) {
  const { email } = await testApp.make.user({})
  const answer = await testApp.app.inject({
    method: 'POST',
    url: '/api/v1/login/access-token',
    remoteAddress,
    headers: { 'x-forwarded-for': forwarded, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username: email, password: PASSWORD }).toString(),
  })
  expect(answer.statusCode).toBe(200)
  const row = await testApp.kernel.ctx.db
    .selectFrom('sessions')
    .select('ip')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.ip
}

describe('the address of a caller', () => {
  test.each([
    ['default', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['default', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['default', '172.17.0.1', '203.0.113.9', '172.17.0.1'],
    ['none', '127.0.0.1', '203.0.113.9', '127.0.0.1'],
    ['container', '172.17.0.1', '203.0.113.9', '203.0.113.9'],
    ['container', '10.0.0.5', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
    ['container', '10.0.0.6', '203.0.113.9', '10.0.0.6'],
    ['container', '127.0.0.1', '203.0.113.9', '127.0.0.1'],
  ] as const)('%s: sent by %s as %s it is %s', async (name, remote, forwarded, seen) => {
    expect(await seenAs(apps[name], remote, forwarded)).toBe(seen)
  })
})

test.each(['x', '10.0.0.0/33', '10.0.0.1/8/9', 'none, loopback', '::1/129', ','])(
  'TRUSTED_PROXIES=%s is refused with the reason',
  (text) => {
    const env = { DATABASE_URL: 'postgres://x', SIGNING_KEY, DOSSIER_KEY, TRUSTED_PROXIES: text }
    expect(() => readConfig(env)).toThrow('TRUSTED_PROXIES deve ter endereços ou redes')
  },
)

test('browsers are told to stay with HTTPS where the address that people type has it', async () => {
  const header = async (testApp: (typeof apps)['default']) =>
    (await testApp.anonymous.api('GET', '/utils/health-check/')).headers['strict-transport-security']
  expect(await header(apps.container)).toBe('max-age=31536000')
  expect(await header(apps.default)).toBeUndefined()
})
