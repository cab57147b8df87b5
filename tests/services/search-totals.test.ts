import { get } from 'node:http'
import { listOrders } from '@garantia/server/features/orders/list'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

/** As the owner, whose plans the policy below does not change. */
const testApp = await startTestApp({}, undefined, 'owner')
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx

// Statistics that come in the middle of it would change the plans: on so few orders a page would read them all.
await sql`alter table service_orders set (autovacuum_enabled = false)`.execute(testApp.owner.db)
const ORDERS = 1_003
const brand_id = (await testApp.make.brand()).id
const matriz = await testApp.make.company()
const filial = async () => (await testApp.make.company({ parent_id: matriz.id })).id
const companies = [matriz.id, await filial()]
/** Of the order inserted last alone: what a page reads of other orders of its companies is not that one. */
const ofTheLast = await filial()
await db
  .insertInto('service_orders')
  .values(
    Array.from({ length: ORDERS }, (_, n) => ({
      brand_id,
      company_id: n === ORDERS - 1 ? ofTheLast : (companies[n % 2] ?? 0),
      os_number: String(900_000 + n),
      customer_name: n % 10 === 0 ? null : `Cliente ${n % 7}`,
      vehicle_chassis: `9BFROTA${n < 1_000 ? 'MIL' : 'XXX'}${String(n).padStart(7, '0')}`,
      // The one inserted last is the oldest.
      opened_at: new Date(Date.UTC(2026, 0, 1) + ((n + 1) % ORDERS) * 60_000),
    })),
  )
  .execute()
const viewers = {
  everybody: await testApp.as(await testApp.make.user({ is_superuser: true })),
  'a matriz': await testApp.as(await testApp.make.user({ role: 'manager', company_id: matriz.id })),
}

for (const [name, { ctx, api }] of Object.entries(viewers))
  test(`${name}: a search is counted up to a thousand, to its end on request; what has sums always (D-55)`, async () => {
    const rest = async (query: string) => (await api('GET', `/service-orders?limit=10&${query}`)).json()
    const capped = { total: 1_000, total_is_exact: false }
    expect(await rest('search=frota')).toMatchObject(capped)
    expect(await rest('search=frota&exact_total=false')).toMatchObject(capped)
    expect(await listOrders(ctx, { search: 'frota', limit: 10 })).toMatchObject(capped)
    expect(await rest('search=mil')).toMatchObject({ total: 1_000, total_is_exact: true })
    const exact = { total: ORDERS, total_is_exact: true }
    expect(await rest('search=frota&exact_total=true')).toMatchObject(exact)
    expect(await rest('')).toMatchObject(exact)
    // No sums are kept of these.
    for (const filter of ['conversion_status=not_started', 'responsible=none']) {
      expect(await rest(filter)).toMatchObject(capped)
      expect(await rest(`${filter}&exact_total=true`)).toMatchObject(exact)
    }
  })

for (const [name, { api }] of Object.entries(viewers))
  test(`${name}: the pages of a broad search neither repeat nor miss one, those without a name last (LIST-19)`, async () => {
    for (const order of ['', '&sort=os_number', '&sort=customer_name&direction=desc']) {
      const found: { id: number; customer_name: string | null }[] = []
      for (let skip = 0; skip <= ORDERS; skip += 91)
        found.push(
          ...(await api('GET', `/service-orders?search=frota&skip=${skip}&limit=91${order}`)).json().items,
        )
      expect(new Set(found.map(({ id }) => id)).size, order).toBe(ORDERS)
      expect(found, order).toHaveLength(ORDERS)
      if (!order.includes('customer_name')) continue
      const names = found.map(({ customer_name }) => customer_name)
      expect(names.slice(names.indexOf(null)).every((one) => one === null)).toBe(true)
    }
  })

test('an exact_total that is neither true nor false is refused', async () => {
  const answer = await viewers.everybody.api('GET', '/service-orders?search=frota&exact_total=talvez')
  expect(answer.json().detail).toEqual([
    { loc: ['query', 'exact_total'], msg: 'Use true ou false', type: 'bool_type' },
  ])
})

/** Reading the order that no page and no thousand matches need takes a minute. */
async function whileCountsAreSlow(work: (limit: AbortController) => Promise<void>) {
  const limit = new AbortController()
  const asked = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  const last = sql.lit(String(900_000 + ORDERS - 1))
  await sql`
    create policy slow on service_orders using (os_number <> ${last} or pg_sleep(60) is not null)`.execute(
    testApp.owner.db,
  )
  await sql`alter table service_orders enable row level security, force row level security`.execute(
    testApp.owner.db,
  )
  try {
    await work(limit)
    expect(asked).toHaveBeenCalledWith(2_000)
  } finally {
    asked.mockRestore()
    await sql`alter table service_orders disable row level security, no force row level security`.execute(
      testApp.owner.db,
    )
    await sql`drop policy slow on service_orders`.execute(testApp.owner.db)
  }
}
const untilCounting = (counts: number) =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`.execute(db)
      expect(rows).toHaveLength(counts)
    },
    { timeout: 30_000, interval: 20 },
  )
const EXACT = '/api/v1/service-orders?search=frota&limit=10&exact_total=true'

test('a count ends in the database when the client that asked for it goes away (D-55)', async () => {
  await whileCountsAreSlow(async () => {
    const headers = { authorization: `Bearer ${viewers.everybody.token}` }
    const call = get(`${await testApp.listen()}${EXACT}`, { headers }).on('error', () => undefined)
    await untilCounting(1)
    call.destroy()
    await untilCounting(0)
  })
}, 60_000)

test('a count that takes too long is 503 with a sentence, and the search itself is answered (D-55)', async () => {
  await whileCountsAreSlow(async (limit) => {
    const { token, api } = viewers.everybody
    const asked = testApp.app.inject({ url: EXACT, headers: { authorization: `Bearer ${token}` } })
    const answered = asked.then((answer) => answer)
    await untilCounting(1)
    limit.abort()
    const answer = await answered
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
    expect(answer.json().detail).toMatch(/contagem exata desta busca demorou demais/)
    await untilCounting(0)
    expect((await api('GET', '/service-orders?search=frota&limit=10')).json().total).toBe(1_000)
  })
}, 60_000)
