import { readMetrics } from '@garantia/server/features/orders/dashboard'
import { listOrders, readList, summarizeOrders } from '@garantia/server/features/orders/list'
import type { Ctx } from '@garantia/server/kernel'
import type { OrderFilter } from '@garantia/shared/orders/criteria'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertOrders } from '../bench/orders-data.ts'
import { recordStatements } from '../support/statements.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp({}, undefined, 'owner')
afterAll(() => testApp[Symbol.asyncDispose]())
const pool = new pg.Pool({ connectionString: testApp.url, max: 2 })
pool.on('error', () => undefined)
afterAll(() => pool.end())

const ORDERS = 8_000
const brands: number[] = []
for (let n = 0; n < 4; n++) brands.push((await testApp.make.brand()).id)
const matriz = await testApp.make.company()
const companies = [matriz.id]
for (let n = 0; n < 3; n++) companies.push((await testApp.make.company({ parent_id: matriz.id })).id)
for (let n = 0; n < 8; n++) companies.push((await testApp.make.company()).id)
const viewers = {
  everybody: await testApp.as(await testApp.make.user({ is_superuser: true })),
  'a matriz': await testApp.as(await testApp.make.user({ role: 'manager', company_id: matriz.id })),
  'a company': await testApp.as(await testApp.make.user({ company_id: matriz.id })),
}
beforeAll(() => insertOrders(pool, { to: ORDERS, companies, brands }, () => undefined), 120_000)

interface Node {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Node[]
}
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The scans of the orders table in each statement of a use case, in order. */
async function scansOf(work: () => Promise<unknown>) {
  const scans: string[] = []
  for (const { text, values } of (await recordStatements(testApp.kernel, work)).flat()) {
    const { rows } = await pool.query(`explain (format json) ${text}`, values)
    for (const node of nodesOf(rows[0]['QUERY PLAN'][0].Plan))
      if (node['Relation Name'] === 'service_orders') scans.push(node['Node Type'])
  }
  return [...new Set(scans)]
}

describe.each(Object.entries(viewers))(
  'for %s the database reads no orders (goals P1 to P4)',
  (_, { ctx }) => {
    const at: Ctx = { ...ctx, clock: () => new Date('2026-07-01T12:00:00Z') }

    test.each([
      ['newest first', {}],
      ['a status', { status: ['in_progress' as const] }],
      ['by customer, downwards', { sort: 'customer_name' as const, direction: 'desc' as const }],
      ['by number', { sort: 'os_number' as const }],
      ['by value, a status', { sort: 'total_value' as const, status: ['pending' as const] }],
      ['open for long', { min_days_open: 20 }],
      ['failed conversions', { conversion_status: ['failed' as const] }],
    ])('except the ten of a page: %s (LIST-19)', async (_, filter) => {
      for (const skip of [0, 200]) {
        const scans = await scansOf(() => listOrders(at, { ...filter, limit: 10, skip }))
        // The ten rows themselves are read by their ids.
        expect(scans.filter((scan) => scan !== 'Index Only Scan' && scan !== 'Index Scan')).toEqual([])
      }
    })

    test.each([
      ['newest first', {}],
      ['two states, on later pages', { status: ['in_progress' as const, 'completed' as const], skip: 20 }],
      ['beyond the end', { skip: 100_000 }],
      ['by customer, downwards', { sort: 'customer_name' as const, direction: 'desc' as const }],
      ['by value, of a brand', { sort: 'total_value' as const, brand_id: brands.slice(0, 1) }],
      ['of a period', { start_date: '2026-03-01', end_date: '2026-06-30', status: ['pending' as const] }],
      ['of a period, by number', { start_date: '2026-03-01', sort: 'os_number' as const }],
      ['open for long', { min_days_open: 20, status: ['completed' as const, 'pending' as const] }],
      ['a search', { search: 'oliveira' }],
      ['nothing', { start_date: '2001-01-01', end_date: '2001-01-02' }],
    ] satisfies [string, OrderFilter][])(
      'the screen shows the page and the cards that are read apart: %s (LIST-1, LIST-5)',
      async (_, filter: OrderFilter) => {
        const { status: _status, skip: _skip, sort: _sort, direction: _direction, ...aboveStatus } = filter
        const { items, summary, ...page } = await readList(at, { limit: 10, ...filter })
        const { items: apart, ...pageApart } = await listOrders(at, { limit: 10, ...filter })
        expect(page).toEqual(pageApart)
        expect(items.map(({ files: _files, ...order }) => order)).toEqual(apart)
        expect(summary).toEqual(await summarizeOrders(at, aboveStatus))
      },
    )

    test('for totals, cards and figures of all time (LIST-1, DASH-1)', async () => {
      expect(await scansOf(() => summarizeOrders(at, { brand_id: brands.slice(0, 1) }))).toEqual([])
      expect(await scansOf(() => readMetrics(at, {}))).toEqual([])
    })

    test('for the figures of a period (DASH-2)', async () => {
      const period = { start_date: '2026-06-01', end_date: '2026-06-30' }
      expect(await scansOf(() => readMetrics(at, period))).toEqual([])
    })
  },
)

test.each(['a matriz', 'a company'] as const)(
  'a search of %s reads no other orders than the ten of the page (LIST-5, D-55)',
  async (viewer) => {
    const { ctx } = viewers[viewer]
    for (const sort of ['opened_at', 'os_number'] as const)
      expect(await scansOf(() => listOrders(ctx, { search: 'oliveira', sort, limit: 10 }))).toEqual([
        'Index Only Scan',
        'Index Scan',
      ])
    expect(await scansOf(() => summarizeOrders(ctx, { search: 'oliveira' }))).toEqual(['Index Only Scan'])
  },
)
