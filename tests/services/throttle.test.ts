import { buildApp } from '@garantia/server/app'
import { hashPassword, openKernel, openLog, readConfig, sweepAttempts } from '@garantia/server/kernel'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { networkOf } from '../../server/src/kernel/origin.ts'
import { DOSSIER_KEY, PASSWORD, SIGNING_KEY, startTestApp, type TestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
// Most tests call from one network, whose failures are counted over all accounts.
beforeEach(() => testApp.kernel.ctx.db.deleteFrom('attempts').execute())

const HERE = '203.0.113.9'
const MINUTE = 60_000
/** Calls from a given address, with a clock that only the test advances. */
function at(target: Pick<TestApp, 'app' | 'kernel'>, start = Date.now()) {
  const clock = { now: start }
  target.kernel.ctx.clock = () => new Date(clock.now)
  const post = (path: string, payload: object | undefined, remoteAddress: string) =>
    target.app.inject({ method: 'POST', url: `/api/v1${path}`, remoteAddress, ...(payload && { payload }) })
  return {
    clock,
    signIn: (username: string, password: string, from = HERE) =>
      post('/login/access-token', { username, password }, from),
    signUp: (email: string, from = HERE) =>
      post('/users/signup', { full_name: 'Ana Maria', email, password: 'uma-senha-longa' }, from),
    recover: (email: string, from = HERE) => post(`/password-recovery/${email}`, undefined, from),
  }
}
const times = async <T>(n: number, call: (n: number) => Promise<T>) => {
  const answers: T[] = []
  for (let i = 0; i < n; i++) answers.push(await call(i))
  return answers
}
const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode)

describe('wrong passwords (D-48)', () => {
  test('are counted for one account from one network: after the tenth, 429 with Retry-After', async () => {
    const { signIn } = at(testApp)
    const { email } = await testApp.make.user()
    expect(statuses(await times(10, () => signIn(email, 'errada-errada')))).toEqual(Array(10).fill(400))
    const blocked = await signIn(email, PASSWORD)
    expect([blocked.statusCode, blocked.json()]).toEqual([
      429,
      { detail: 'Muitas tentativas. Tente novamente em 30 segundos.' },
    ])
    expect(blocked.headers['retry-after']).toBe('30')
    expect((await signIn(email.toUpperCase(), PASSWORD, '203.0.113.77')).statusCode).toBe(429)
    // Not blocked: the owner from another network, and other users from this one.
    expect((await signIn(email, PASSWORD, '198.51.100.1')).statusCode).toBe(200)
    expect((await signIn((await testApp.make.user()).email, PASSWORD)).statusCode).toBe(200)
  })

  test('for invented names leave no row each once their network is refused', async () => {
    const { signIn } = at(testApp)
    const rows = () => testApp.kernel.ctx.db.selectFrom('attempts').select('bucket').execute()
    const from = '192.0.2.9'
    await times(50, (n) => signIn(`ninguem${n}@casa`, 'errada-errada', from))
    const before = await rows()
    expect(statuses(await times(3, (n) => signIn(`outro${n}@casa`, 'errada-errada', from)))).toEqual(
      Array(3).fill(429),
    )
    expect(await rows()).toHaveLength(before.length)
  })

  test('on an account that is blocked do not count for its network', async () => {
    const { signIn } = at(testApp)
    const from = '192.0.2.10'
    const { email } = await testApp.make.user()
    expect(statuses(await times(60, () => signIn(email, 'errada-errada', from))).at(-1)).toBe(429)
    expect((await signIn((await testApp.make.user()).email, PASSWORD, from)).statusCode).toBe(200)
  })

  test('of one network are counted over all accounts: one password tried on each is stopped after fifty', async () => {
    const { signIn, clock } = at(testApp)
    const from = '192.0.2.1'
    const people = await Promise.all(Array.from({ length: 52 }, () => testApp.make.user()))
    const spray = await times(52, (n) => signIn(people[n]?.email ?? '', 'Senha2026', from))
    expect(statuses(spray)).toEqual([...Array(50).fill(400), 429, 429])
    expect((await signIn(people[51]?.email ?? '', PASSWORD, from)).statusCode).toBe(429)
    expect((await signIn(people[51]?.email ?? '', PASSWORD, '198.51.100.2')).statusCode).toBe(200)
    clock.now += 15 * MINUTE
    expect((await signIn(people[51]?.email ?? '', PASSWORD, from)).statusCode).toBe(200)
  })

  test('of one network are not forgotten after a success in between, which does not count itself', async () => {
    const { signIn } = at(testApp)
    const from = '192.0.3.1'
    const { email } = await testApp.make.user()
    for (let n = 0; n < 50; n++) {
      expect((await signIn(`ninguem${n}`, 'errada-errada', from)).statusCode).toBe(400)
      if (n < 49) expect((await signIn(email, PASSWORD, from)).statusCode).toBe(200)
    }
    expect((await signIn(email, PASSWORD, from)).statusCode).toBe(429)
  })

  test('sent by the hundred from one network are refused when twenty wait there; one from elsewhere is not', async () => {
    await using free = await startTestApp({ LOGIN_LIMIT: '0' })
    const { signIn } = at(free)
    const { email } = await free.make.user()
    const flood = Array.from({ length: 200 }, (_, n) => signIn(`ninguem${n}`, 'errada-errada', '192.0.4.1'))
    expect((await signIn(email, PASSWORD, '198.51.100.3')).statusCode).toBe(200)
    const answers = await Promise.all(flood)
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused.length).toBeGreaterThan(20)
    expect(new Set(refused.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['2']))
    expect(new Set(statuses(answers))).toEqual(new Set([400, 429]))
  })

  test('make each wait longer, and never longer than the window', async () => {
    const { signIn, clock } = at(testApp)
    const { email } = await testApp.make.user()
    await times(10, () => signIn(email, 'errada-errada'))
    const waits: number[] = []
    for (let n = 0; n < 4; n++) {
      const wait = Number((await signIn(email, 'errada-errada')).headers['retry-after'])
      waits.push(wait)
      clock.now += wait * 1000 - 1
      expect((await signIn(email, PASSWORD)).statusCode).toBe(429)
      clock.now += 1
      expect((await signIn(email, 'errada-errada')).statusCode).toBe(400)
    }
    expect(waits).toEqual([30, 60, 120, 240])
    clock.now += 15 * MINUTE
    expect((await signIn(email, PASSWORD)).statusCode).toBe(200)
  })

  test('are reset by a correct one, which is never counted', async () => {
    const { signIn } = at(testApp)
    const { email } = await testApp.make.user()
    expect(statuses(await times(15, () => signIn(email, PASSWORD)))).toEqual(Array(15).fill(200))
    for (let round = 0; round < 3; round++) {
      await times(9, () => signIn(email, 'errada-errada'))
      expect((await signIn(email, PASSWORD)).statusCode).toBe(200)
    }
  })

  test('of an unknown user are counted alike, so that a block reveals nothing', async () => {
    const { signIn } = at(testApp)
    const answers = await times(11, () => signIn('ninguem@exemplo.com.br', 'errada-errada'))
    expect(statuses(answers)).toEqual([...Array(10).fill(400), 429])
  })

  test('sent concurrently are checked ten times in all, as when sent one by one', async () => {
    const { signIn, clock } = at(testApp)
    // The real hash: the test depends on a check taking its time.
    const { email } = await testApp.make.user({ password_hash: await hashPassword(PASSWORD, 'teste') })
    const rush = (n: number) => Promise.all(Array.from({ length: n }, (_, i) => signIn(email, `errada-${i}`)))
    expect(statuses(await rush(40)).sort()).toEqual([...Array(10).fill(400), ...Array(30).fill(429)])
    expect((await signIn(email, PASSWORD)).statusCode).toBe(429)
    clock.now += 30_000
    expect(statuses(await rush(10)).sort()).toEqual([400, ...Array(9).fill(429)])
    clock.now += 60_000
    expect((await signIn(email, PASSWORD)).statusCode).toBe(200)
    expect(statuses(await rush(11)).sort()).toEqual([...Array(10).fill(400), 429])
  })

  test('for the own current password, sent concurrently, are checked ten times too', async () => {
    const { api } = await testApp.as(
      await testApp.make.user({ password_hash: await hashPassword(PASSWORD, 'teste') }),
    )
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        api('PATCH', '/users/me/password', {
          current_password: `errada-${n}`,
          new_password: 'uma-senha-nova',
        }),
      ),
    )
    expect(statuses(answers).sort()).toEqual([...Array(10).fill(400), ...Array(15).fill(429)])
  })

  test('are counted together on N servers, and survive a restart', async () => {
    const { signIn, clock } = at(testApp)
    const { email } = await testApp.make.user()
    await times(5, () => signIn(email, 'errada-errada'))
    const config = readConfig({ DATABASE_URL: testApp.url, DATA_DIR: testApp.dir, SIGNING_KEY, DOSSIER_KEY })
    const kernel = await openKernel(config, openLog('silent', 'teste'), { connections: 2 })
    const second = at({ app: await buildApp(kernel.ctx), kernel }, clock.now)
    try {
      await times(5, () => second.signIn(email, 'errada-errada'))
      expect((await second.signIn(email, PASSWORD)).statusCode).toBe(429)
      expect((await signIn(email, PASSWORD)).statusCode).toBe(429)
    } finally {
      await kernel.close()
    }
  })

  test('for the own current password are counted too, since a stolen session could guess it', async () => {
    const user = await testApp.make.user()
    const { api } = await testApp.as(user)
    const change = (current_password: string) =>
      api('PATCH', '/users/me/password', { current_password, new_password: 'uma-senha-nova' })
    expect(statuses(await times(10, () => change('errada-errada')))).toEqual(Array(10).fill(400))
    expect((await change(PASSWORD)).statusCode).toBe(429)
  })

  test('are not limited when the limit is off, and are blocked after one when it is 1', async () => {
    await using off = await startTestApp({ LOGIN_LIMIT: '0' })
    expect(statuses(await times(12, () => at(off).signIn('a@b.co', 'errada-errada')))).toEqual(
      Array(12).fill(400),
    )
    await using one = await startTestApp({ LOGIN_LIMIT: '1' })
    expect(statuses(await times(2, () => at(one).signIn('a@b.co', 'errada-errada')))).toEqual([400, 429])
  })
})

describe('calls that are limited even when they succeed', () => {
  test('are five sign-ups an hour from one network (D-48)', async () => {
    await using own = await startTestApp()
    const { signUp, clock } = at(own)
    const answers = await times(7, (n) => signUp(`pessoa${n}@exemplo.com.br`, `203.0.113.${n}`))
    expect(statuses(answers)).toEqual([...Array(5).fill(200), 429, 429])
    expect(answers.at(-1)?.headers['retry-after']).toBe('3600')
    expect((await signUp('outra@exemplo.com.br', '198.51.100.1')).statusCode).toBe(200)
    clock.now += 60 * MINUTE - 1000
    expect((await signUp('tarde@exemplo.com.br')).headers['retry-after']).toBe('1')
    clock.now += 1000
    expect((await signUp('tarde@exemplo.com.br')).statusCode).toBe(200)
  })

  test('are five sign-ups also when twelve are sent concurrently', async () => {
    await using own = await startTestApp()
    const { signUp } = at(own)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => signUp(`pessoa${n}@exemplo.com.br`)),
    )
    expect(statuses(answers).sort()).toEqual([...Array(5).fill(200), ...Array(7).fill(429)])
  })

  test('are five recovery mails in 15 minutes, to one address and from one network (D-37)', async () => {
    await using own = await startTestApp()
    const { recover, clock } = at(own)
    const { email } = await own.make.user()
    const spread = await times(6, (n) => recover(email, `203.0.${n}.1`))
    expect(statuses(spread)).toEqual([...Array(5).fill(200), 429])
    expect(spread.at(-1)?.headers['retry-after']).toBe('900')
    const probing = await times(6, (n) => recover(`ninguem${n}@exemplo.com.br`, '198.51.100.1'))
    expect(statuses(probing)).toEqual([...Array(5).fill(404), 429])
    clock.now += 15 * MINUTE
    expect((await recover(email)).statusCode).toBe(200)
  })
})

describe('the network of an address', () => {
  test.each([
    ['203.0.113.9', '203.0.113'],
    ['::ffff:203.0.113.9', '203.0.113'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8::ffff:1', '2001:db8:0:0'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    [null, 'local'],
  ])('%s belongs to %s', (ip, network) => expect(networkOf(ip)).toBe(network))

  test('is not taken from a header of the client, however long', async () => {
    for (const forwarded of ['x'.repeat(4000), "'; drop table users --", '203.0.113.9, nada', '1.2.3.4.5']) {
      const answer = await testApp.anonymous.api(
        'POST',
        '/token',
        { username: 'ninguem', password: 'errada-errada' },
        { 'x-forwarded-for': forwarded },
      )
      expect([forwarded, answer.statusCode]).toEqual([forwarded, 400])
    }
  })
})

test('old counts are swept, and recent ones are kept', async () => {
  const { db } = testApp.kernel.ctx
  await db
    .insertInto('attempts')
    .values([
      { bucket: 'velho', hits: 1, first_at: new Date(Date.now() - 2 * 86_400_000) },
      { bucket: 'novo', hits: 1, first_at: new Date() },
    ])
    .execute()
  testApp.kernel.ctx.clock = () => new Date()
  await sweepAttempts(testApp.kernel.ctx)
  const kept = await db
    .selectFrom('attempts')
    .where('bucket', 'in', ['velho', 'novo'])
    .select('bucket')
    .execute()
  expect(kept).toEqual([{ bucket: 'novo' }])
})
