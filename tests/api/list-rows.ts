import { bulkResult } from '@garantia/shared/orders/bulk'
import { metrics } from '@garantia/shared/orders/metrics'
import { monthlyReport } from '@garantia/shared/orders/report'
import type { CompanyRelation, Expected, MatrixFixture, Row } from './matrix-fixture.ts'
import type { Row as Contract } from './people-rows.ts'

/** These calls span many rows and answer everybody with the rows of the caller's own companies. */
const everybody: Expected = { technician: 200, manager: 200, admin: 200, superuser: 200, lost: 200 }
const BULK_FIELDS: Partial<Record<string, string[]>> = {
  status: ['status', 'reason', 'accepts_problems'],
  assign: ['responsible_user_id'],
}
const bulk = (action: 'status' | 'resume' | 'convert' | 'delete' | 'assign', procedure: string): Row => ({
  rest: ['POST /service-orders/bulk'],
  procedure,
  expected: everybody,
  alike: ['ids', ...(BULK_FIELDS[action] ?? [])],
  async attempt({ testApp, companies, brand }: MatrixFixture, place: CompanyRelation) {
    const { id } = await testApp.make.order({ company_id: companies[place].id, brand_id: brand.id })
    const input = {
      ids: [id],
      // With it tRPC accepts problems too, as REST does without.
      ...(action === 'status' && { status: 'pending', reason: 'motivo' }),
      ...(action === 'assign' && { responsible_user_id: null }),
    }
    return { body: { ...input, action }, input }
  },
})

/** Lists, exports, bulk actions, saved views and the dashboard. */
export const LIST_MATRIX: Row[] = [
  {
    rest: ['GET /service-orders'],
    procedure: 'orderList.page',
    expected: everybody,
    attempt: () => ({ input: {} }),
  },
  {
    rest: [],
    procedure: 'orderList.find',
    expected: everybody,
    attempt: () => ({ input: { search: '000001' } }),
  },
  {
    rest: [],
    procedure: 'orderList.readable',
    expected: everybody,
    attempt: () => ({ input: { ids: [1] } }),
  },
  {
    rest: ['GET /service-orders/export'],
    expected: everybody,
    attempt: () => ({ query: '?format=csv' }),
  },
  bulk('status', 'orderList.setStatus'),
  bulk('resume', 'orderList.resume'),
  bulk('convert', 'conversion.convertMany'),
  bulk('delete', 'orderList.remove'),
  bulk('assign', 'orderList.assign'),
  { rest: [], procedure: 'orderList.workload', expected: everybody, attempt: () => ({}) },
  { rest: [], procedure: 'orderList.recordPrint', expected: everybody, attempt: () => ({ input: {} }) },
  { rest: [], procedure: 'dashboard.attention', expected: everybody, attempt: () => ({}) },
  { rest: [], procedure: 'notifications.list', expected: everybody, attempt: () => ({ input: {} }) },
  { rest: [], procedure: 'notifications.unread', expected: everybody, attempt: () => ({}) },
  { rest: [], procedure: 'notifications.markRead', expected: everybody, attempt: () => ({ input: {} }) },
  { rest: [], procedure: 'notifications.digest', expected: everybody, attempt: () => ({}) },
  {
    rest: [],
    procedure: 'notifications.chooseDigest',
    expected: everybody,
    attempt: () => ({ input: { wants_digest: true } }),
  },
  {
    rest: [],
    procedure: 'savedViews.list',
    expected: everybody,
    attempt: () => ({ input: { list: 'orders' } }),
  },
  {
    rest: [],
    procedure: 'savedViews.save',
    expected: everybody,
    attempt: () => ({
      input: { list: 'claims', name: 'Devolvidas', is_shared: false, criteria: { state: 'returned' } },
    }),
  },
  {
    rest: [],
    procedure: 'savedViews.remove',
    expected: everybody,
    async attempt({ testApp }, place, { id: owner_id }) {
      const view = { owner_id, name: `Prontas ${place}`, criteria: '{}' }
      const { db } = testApp.kernel.ctx
      return {
        input: await db.insertInto('order_views').values(view).returning('id').executeTakeFirstOrThrow(),
      }
    },
  },
  {
    rest: ['GET /service-orders/dashboard/metrics'],
    procedure: 'dashboard.metrics',
    expected: everybody,
    attempt: () => ({ input: {} }),
  },
  { rest: [], procedure: 'dashboard.recent', expected: everybody, attempt: () => ({}) },
  {
    rest: ['GET /service-orders/reports/monthly'],
    procedure: 'reports.monthly',
    expected: everybody,
    attempt: () => ({
      query: '?from=2026-01&until=2026-02',
      input: { from: '2026-01', until: '2026-02' },
    }),
  },
  {
    rest: ['GET /service-orders/reports/monthly/export'],
    expected: everybody,
    attempt: () => ({ query: '?from=2026-01&until=2026-02' }),
  },
]

export const listContract = (order_id: number): Contract[] => [
  {
    id: 'API-28',
    call: 'GET /service-orders/dashboard/metrics',
    path: '/service-orders/dashboard/metrics/?start_date=2026-01-01&end_date=',
    reply: metrics,
  },
  {
    id: 'D-74',
    call: 'GET /service-orders/reports/monthly',
    path: '/service-orders/reports/monthly?from=2026-01&until=2026-12',
    reply: monthlyReport,
  },
  {
    id: 'D-74',
    call: 'GET /service-orders/reports/monthly/export',
    path: '/service-orders/reports/monthly/export?from=2026-11&until=2026-11',
    reply: 'file',
  },
  {
    id: 'D-39',
    call: 'GET /service-orders/export',
    path: '/service-orders/export?format=xlsx&search=',
    reply: 'file',
  },
  {
    id: 'D-49',
    call: 'POST /service-orders/bulk',
    path: '/service-orders/bulk',
    body: { action: 'status', ids: [order_id], status: 'pending' },
    reply: bulkResult,
  },
]
