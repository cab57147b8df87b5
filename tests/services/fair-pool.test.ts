import { openDatabase, openLog } from '@garantia/server/kernel'
import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { callers, fairPool } from '../../server/src/kernel/fair-pool.ts'
import { startTestApp } from '../support/test-app.ts'

/** A fair pool over clients that do nothing; `as` takes a connection for a caller. */
function pool({ max = 6, timeout_ms = 10_000, connect = async () => client() } = {}) {
  const shared = fairPool({ connect, end: async () => undefined, options: {} } as PostgresPool, {
    max,
    timeout_ms,
  })
  const taken: string[] = []
  const as = (caller_key: string) => {
    const connecting = callers.run(
      { caller_key, isAnonymous: caller_key.startsWith('network') },
      async () => {
        const connection = await shared.connect()
        taken.push(caller_key)
        return connection
      },
    )
    // Some tests end while calls of theirs still wait.
    connecting.catch(() => undefined)
    return connecting
  }
  return { shared, as, taken }
}
const client = () => ({ release() {} }) as unknown as PostgresPoolClient
const flushPromises = () => new Promise((resolve) => setImmediate(resolve))

describe('the connections of the database', () => {
  test('are shared: one caller has a third at most, and who holds none is served before who does', async () => {
    const { as, taken } = pool()
    const flood = Array.from({ length: 10 }, () => as('a'))
    await flushPromises()
    expect(taken).toEqual(['a', 'a'])
    const others = [as('b'), as('b'), as('c'), as('c')]
    await Promise.all(others)
    const waiting = [as('b'), as('d')]
    ;(await flood[0])?.release()
    await flushPromises()
    // The caller that holds none, although others came first.
    expect(taken.slice(6)).toEqual(['d'])
    ;(await others[0])?.release()
    await flushPromises()
    expect(taken.slice(6)).toEqual(['d', 'a'])
    expect(waiting).toHaveLength(2)
  })

  test('go to anonymous callers by half, however many networks they come from', async () => {
    const { as, taken } = pool()
    const flood = Array.from({ length: 8 }, (_, n) => as(`network ${n}`))
    await flushPromises()
    expect(taken).toHaveLength(3)
    await Promise.all([as('a'), as('b'), as('c')])
    ;(await flood[0])?.release()
    await flushPromises()
    expect(taken.slice(6)).toEqual(['network 3'])
  })

  test('are given back once, whatever becomes of them, and the product itself may use all', async () => {
    const { shared, as, taken } = pool({ max: 3 })
    const [own, ...more] = await Promise.all([shared.connect(), shared.connect(), shared.connect()])
    const next = as('a')
    await flushPromises()
    expect(taken).toEqual([])
    own?.release(true)
    ;(await next).release()
    for (const connection of more) connection.release()
    for (let n = 0; n < 5; n++) (await as('a')).release()
    expect(taken).toHaveLength(6)
  })

  test('that cannot be opened leave their place, and who waits too long gets the error of pg', async () => {
    const broken = pool({
      max: 1,
      connect: async () => {
        throw new Error('refused')
      },
    })
    for (let n = 0; n < 3; n++) await expect(broken.as('a')).rejects.toThrow('refused')
    const { as } = pool({ max: 1, timeout_ms: 5 })
    const occupied = await as('a')
    await expect(as('b')).rejects.toThrow('timeout exceeded when trying to connect')
    occupied.release()
    await as('b')
  })

  test('are refused with 429 to a caller with fifteen hundred calls waiting, not to another', async () => {
    const { as } = pool({ max: 3 })
    const [occupied] = [await as('a')]
    const waiting = Array.from({ length: 1_500 }, () => as('a'))
    await expect(as('a')).rejects.toMatchObject({ code: 'too_many', retryAfter: 2 })
    ;(await as('b')).release()
    occupied?.release()
    for (const one of waiting) (await one).release()
  })
})

test('who sends invented tokens counts as anonymous, whatever their number', async () => {
  await using testApp = await startTestApp()
  const client = new Client({ connectionString: testApp.url })
  await client.connect()
  await client.query('begin; lock table sessions in access exclusive mode')
  const waitingForLock = async () => {
    // Within a transaction the view would not change.
    const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(testApp.kernel.ctx.db)
    return rows[0]?.waiting
  }
  const calls = Array.from({ length: 12 }, (_, n) =>
    testApp.anonymous.api('GET', '/users/me', undefined, {
      authorization: `Bearer ${'x'.repeat(42)}${n}`,
      'x-forwarded-for': `198.51.${n}.1`,
    }),
  )
  for (const call of calls) call.catch(() => undefined)
  // Of six connections; twelve callers would have them all.
  await expect.poll(waitingForLock).toBe(3)
  for (let sample = 0; sample < 20; sample++) expect(await waitingForLock()).toBe(3)
  await client.query('rollback')
  await client.end()
  for (const call of calls) expect((await call).statusCode).toBe(401)
})

test('of an idle process one connection stays open, by which others see that it runs', async () => {
  await using testApp = await startTestApp()
  const own = openDatabase(testApp.url, openLog('silent', 'teste'), { max: 3 })
  try {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.1)`.execute(own.db)))
    expect(own.pool.totalCount).toBe(3)
    vi.advanceTimersByTime(60_000)
    expect(own.pool.totalCount).toBe(1)
  } finally {
    vi.useRealTimers()
    await own.db.destroy()
  }
})
