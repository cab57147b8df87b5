import { listOrders, listWithTotal, summarizeOrders } from '@garantia/server/features/orders/list'
import { DIRECTIONS, ORDER_SORTS, orderFilter } from '@garantia/shared/orders/criteria'
import { ORDER_STATUSES } from '@garantia/shared/orders/status'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const [fiat, ford] = [await testApp.make.brand(), await testApp.make.brand()]
const matriz = await testApp.make.company()
const filiais = [
  await testApp.make.company({ parent_id: matriz.id }),
  await testApp.make.company({ parent_id: matriz.id }),
]
const foreign = await testApp.make.company()
const NOW = new Date('2026-03-15T12:00:00-03:00')
const DAY = 86_400_000

/** Few different values, so that ties and orders without a name occur on every page. */
const NAMES = ['Ávila', 'avila', 'Bruno', 'Zélia', 'Érico', null, 'bruna', null]
const companies = [matriz, ...filiais, foreign]
const made: { id: number; company_id: number; [key: string]: unknown }[] = []
for (let n = 0; n < 67; n++) {
  const status = ORDER_STATUSES[n % 8] ?? 'created'
  made.push(
    await testApp.make.order({
      os_number: String((n * 37) % 100).padStart(6, '0'),
      brand_id: n % 3 === 0 ? ford.id : fiat.id,
      company_id: companies[n % 4]?.id ?? 0,
      customer_name: NAMES[(n * 5) % 8] ?? null,
      service_value: (n * 7) % 5,
      opened_at: new Date(NOW.getTime() - ((n * 11) % 9) * 5 * DAY),
      status,
      conversion_status: (['not_started', 'failed', 'available'] as const)[n % 3] ?? 'not_started',
      ...(n % 20 === 19 && { deleted_at: NOW }),
    }),
  )
}
const viewers = {
  everybody: await testApp.as(await testApp.make.user({ is_superuser: true })),
  'a matriz': await testApp.as(await testApp.make.user({ role: 'manager', company_id: matriz.id })),
  'a filial': await testApp.as(await testApp.make.user({ company_id: filiais[0]?.id ?? 0 })),
}
const clerk = await testApp.make.user({ role: 'admin', company_id: null })
await testApp.kernel.ctx.db
  .updateTable('service_orders')
  .set({ responsible_user_id: clerk.id })
  .where(sql<boolean>`id % 5 = 0`)
  .execute()
const isClerks = ({ id }: { id: number }) => id % 5 === 0
type Viewer = keyof typeof viewers
const seen: Record<Viewer, number[]> = {
  everybody: companies.map(({ id }) => id),
  'a matriz': [matriz, ...filiais].map(({ id }) => id),
  'a filial': [filiais[0]?.id ?? 0],
}
const live = (viewer: Viewer) =>
  made.filter((one) => !one.deleted_at && seen[viewer].includes(one.company_id))

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const keyOf = {
  opened_at: Number,
  os_number: String,
  customer_name: (name: unknown) => name && folded(`${name}`),
  total_value: Number,
}
type Sort = keyof typeof keyOf
function inOrder(list: typeof made, sort: Sort, direction: 'asc' | 'desc') {
  const sign = direction === 'asc' ? 1 : -1
  return [...list].sort((a, b) => {
    const [x, y] = [keyOf[sort](a[sort]), keyOf[sort](b[sort])]
    if (x === y) return sign * (a.id - b.id)
    if (x === null || y === null) return x === null ? 1 : -1
    return sign * ((x as string) < (y as string) ? -1 : 1)
  })
}
async function allPages(viewer: Viewer, filter: object) {
  const ctx = { ...viewers[viewer].ctx, clock: () => NOW }
  const ids: number[] = []
  for (let skip = 0; ; skip += 10) {
    const { items, total } = await listOrders(ctx, orderFilter.parse({ ...filter, skip, limit: 10 }))
    ids.push(...items.map(({ id }) => id))
    if (skip + 10 >= total) return { ids, total }
  }
}

const isOpen = ({ status }: (typeof made)[number]) => status !== 'completed' && status !== 'cancelled'
/** Between so many days before `NOW`; no order was opened near midnight. */
function agesOf({ opened_at }: (typeof made)[number], from: number, to: number) {
  const days = Math.round((NOW.getTime() - Number(opened_at)) / DAY)
  return days >= from && days <= to
}

const FILTERS: [string, object, (one: (typeof made)[number]) => boolean][] = [
  ['nothing', {}, () => true],
  [
    'status and brand',
    { status: 'created,pending', brand_id: fiat.id },
    (one) => ['created', 'pending'].includes(`${one.status}`) && one.brand_id === fiat.id,
  ],
  ['conversion', { conversion_status: 'failed' }, (one) => one.conversion_status === 'failed'],
  ['a company', { company_id: filiais[0]?.id }, (one) => one.company_id === filiais[0]?.id],
  [
    'several brands and companies, one of them out of scope',
    { brand_id: `${ford.id},${fiat.id}`, company_id: `${matriz.id},${filiais[0]?.id},${foreign.id}` },
    (one) => one.company_id !== filiais[1]?.id,
  ],
  [
    'several conversions',
    { conversion_status: 'failed,available' },
    (one) => one.conversion_status !== 'not_started',
  ],
  [
    'a period and a status',
    { start_date: '2026-02-13', end_date: '2026-03-05', status: 'created,ready,completed' },
    (one) => ['created', 'ready', 'completed'].includes(`${one.status}`) && agesOf(one, 10, 30),
  ],
  [
    'an end',
    { end_date: '2026-02-28', brand_id: fiat.id },
    (one) => one.brand_id === fiat.id && agesOf(one, 15, 99),
  ],
  ['a reversed period', { start_date: '2026-03-05', end_date: '2026-02-13' }, () => false],
  [
    'days open, from and to',
    { min_days_open: 10, max_days_open: 20, status: 'created,completed,pending' },
    (one) => ['created', 'pending'].includes(`${one.status}`) && agesOf(one, 10, 20),
  ],
  ['days open, at most', { max_days_open: 5 }, (one) => isOpen(one) && agesOf(one, 0, 5)],
  ['a responsible person', { responsible: `${clerk.id}` }, isClerks],
  [
    'nobody being responsible',
    { responsible: 'none', brand_id: ford.id },
    (one) => isOpen(one) && !isClerks(one) && one.brand_id === ford.id,
  ],
  ['the caller, who is not, or somebody who is', { responsible: `me,${clerk.id}` }, isClerks],
  [
    'anybody or nobody',
    { responsible: `none,${clerk.id}`, min_days_open: 20 },
    (one) => isOpen(one) && agesOf(one, 20, 99),
  ],
  ['a search', { search: 'a' }, (one) => folded(`${one.customer_name ?? ''}`).startsWith('a')],
]

describe.each(Object.keys(viewers) as Viewer[])('pages for %s', (viewer) => {
  const cases = ORDER_SORTS.flatMap((sort) => DIRECTIONS.map((direction) => [sort, direction] as const))
  test.each(cases)(
    'sorted by %s, %s: ties by id, orders without a name last, complete to the last page (LIST-11, LIST-19)',
    async (sort, direction) => {
      for (const [name, filter, meets] of FILTERS) {
        const expected = inOrder(live(viewer).filter(meets), sort, direction).map(({ id }) => id)
        const found = await allPages(viewer, { ...filter, sort, direction })
        expect(found, `by ${name}`).toEqual({ ids: expected, total: expected.length })
      }
    },
  )
})

test('newest first by default, other columns ascending', async () => {
  const idsBy = async (filter: object) => (await allPages('a matriz', filter)).ids
  expect(await idsBy({})).toEqual(await idsBy({ sort: 'opened_at', direction: 'desc' }))
  expect(await idsBy({ sort: 'total_value' })).toEqual(await idsBy({ sort: 'total_value', direction: 'asc' }))
})

test('«me» is whoever asks', async () => {
  const own = await testApp.as(clerk)
  const filter = orderFilter.parse({ responsible: 'me', limit: 100 })
  const { items } = await listOrders(own.ctx, filter)
  expect(items.map(({ id }) => id).sort()).toEqual(
    live('everybody')
      .filter(isClerks)
      .map(({ id }) => id)
      .sort(),
  )
  expect(new Set(items.map(({ responsible_name }) => responsible_name))).toEqual(new Set(['Pessoa de Teste']))
})

test('a company out of scope returns nothing (D-39)', async () => {
  expect(await allPages('a matriz', { company_id: foreign.id })).toEqual({ ids: [], total: 0 })
  expect(await summarizeOrders(viewers['a filial'].ctx, { company_id: [matriz.id] })).toMatchObject({
    total: 0,
  })
})

test('«open for n days» counts calendar days in São Paulo and leaves closed orders out (D-13)', async () => {
  const company = await testApp.make.company()
  const at = (opened_at: string, status: 'created' | 'completed' = 'created') =>
    testApp.make.order({ company_id: company.id, brand_id: fiat.id, opened_at: new Date(opened_at), status })
  const old = await at('2026-02-23T23:59:59-03:00')
  await at('2026-02-24T00:00:00-03:00')
  await at('2026-01-01T12:00:00-03:00', 'completed')
  const own = await testApp.as(await testApp.make.user({ company_id: company.id }))
  const ctx = { ...own.ctx, clock: () => NOW }
  const { items, total } = await listOrders(ctx, { min_days_open: 20 })
  expect([items.map(({ id, days_open }) => [id, days_open]), total]).toEqual([[[old.id, 20]], 1])
  expect((await listOrders(ctx, { min_days_open: 19 })).total).toBe(2)
  expect((await listWithTotal(ctx, { min_days_open: 0 })).total).toBe(2)
  expect(await summarizeOrders(ctx, { min_days_open: 20 })).toMatchObject({ total: 1, is_exact: true })
  const rest = (await own.api('GET', '/service-orders?min_days_open=20&conversion_status=not_started')).json()
  // The server's own clock is later than the test's: both open ones are that old by now.
  expect(rest.total).toBe(2)
})

describe('the cards (D-28)', () => {
  test('count what the filters leave, whatever the status filter (LIST-1, LIST-2, LIST-3, LIST-4)', async () => {
    const second = filiais[1]?.id ?? 0
    for (const filter of [{}, { brand_id: [ford.id] }, { company_id: [second] }, { search: 'av' }]) {
      const list = live('a matriz').filter(
        (one) =>
          (!('brand_id' in filter) || one.brand_id === ford.id) &&
          (!('company_id' in filter) || one.company_id === second) &&
          (!('search' in filter) || folded(`${one.customer_name ?? ''}`).startsWith('av')),
      )
      const of = (...statuses: string[]) => list.filter((one) => statuses.includes(`${one.status}`)).length
      const summary = await summarizeOrders(viewers['a matriz'].ctx, filter)
      expect(summary).toEqual({
        total: list.length,
        completed: of('completed'),
        in_analysis: of('in_analysis'),
        pending: of('pending', 'pending_upload'),
        under_way: of('created', 'in_progress', 'ready'),
        cancelled: of('cancelled'),
        is_exact: true,
      })
      const { total, is_exact, ...parts } = summary
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total)
      expect(is_exact).toBe(true)
    }
  })

  test('of a broad search are lower bounds and marked as such (D-55)', async () => {
    const many = await testApp.make.company()
    await testApp.kernel.ctx.db
      .insertInto('service_orders')
      .values(
        Array.from({ length: 1_001 }, (_, n) => ({
          os_number: String(n).padStart(6, '0'),
          brand_id: fiat.id,
          company_id: many.id,
          customer_name: 'Frota Repetida',
        })),
      )
      .execute()
    const own = await testApp.as(await testApp.make.user({ company_id: many.id }))
    expect(await summarizeOrders(own.ctx, {})).toMatchObject({
      total: 1_001,
      under_way: 1_001,
      is_exact: true,
    })
    expect(await summarizeOrders(own.ctx, { search: 'repetida' })).toMatchObject({
      total: 1_000,
      under_way: 1_000,
      completed: 0,
      is_exact: false,
    })
    const narrow = { conversion_status: ['not_started' as const] }
    expect(await listOrders(own.ctx, narrow)).toMatchObject({ total: 1_000, total_is_exact: false })
    expect(await listWithTotal(own.ctx, narrow)).toMatchObject({ total: 1_000, total_is_exact: false })
    expect(await listWithTotal(own.ctx, { ...narrow, exact_total: true })).toMatchObject({
      total: 1_001,
      total_is_exact: true,
    })
  })
})
