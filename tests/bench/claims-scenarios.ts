import type { FilledOrders } from './fill-orders.ts'
import type { Call } from './load.ts'
import { DEEP, LIMIT, orderFrom, type Scenario, trpc } from './orders-scenarios.ts'

type Filter = Record<string, string | number | boolean>

const rest = (filter: Filter) =>
  `/api/v1/claims?${new URLSearchParams(Object.entries(filter).map(([key, value]) => [key, String(value)]))}`
const page = (filter: Filter) => rest({ limit: LIMIT, ...filter })

/** What is measured under load, by name as in goals.ts. */
export async function timedScenarios(db: FilledOrders): Promise<Scenario[]> {
  const { tokens, brands, orders: claims } = db
  const known = await orderFrom(db, 20)
  const last = Math.floor((claims - 1) / LIMIT) * LIMIT
  const compared: Record<string, string> = {
    'claims, page 1, REST': page({}),
    'claims, page 1, tRPC': trpc('claimList.page', { limit: LIMIT }),
    'claims, state and brand': page({ state: 'reconciled', brand_id: brands[1] ?? 0 }),
    'claims, page 1000': page({ skip: Math.min(DEEP, last) }),
    'claims, last page': page({ skip: last }),
    'claims, search, part of a plate': page({ search: known.vehicle_plate.slice(0, 5) }),
    'claims, search, OS number': page({ search: known.os_number }),
  }
  const alone: Record<string, string> = {
    'claims, search, frequent name': page({ search: 'maria' }),
    'claims, receivable': '/api/v1/claims/reports/receivable',
    'claims, deadlines': '/api/v1/deadlines?limit=10',
  }
  const of = (paths: Record<string, string>, isReferenced: boolean) =>
    Object.entries(paths).map(([name, path]) => ({ name, call: { path, token: tokens.admin }, isReferenced }))
  return [...of(compared, true), ...of(alone, false)]
}

/** Everything a request can ask of many claims, for both viewers: none of its statements may be slow. */
export async function otherCalls(db: FilledOrders): Promise<Call[]> {
  const known = await orderFrom(db, 20)
  const june = { from: '2026-06-01', until: '2026-06-30' }
  const list: Filter[] = [
    ...['sent_at', 'due_on', 'open_amount', 'claimed'].flatMap((sort): Filter[] => [
      { sort },
      { sort, direction: 'asc' },
      { sort, skip: DEEP },
      { sort, state: 'accepted' },
    ]),
    { state: 'sent,in_review', sent_until: '2026-06-15' },
    { state: 'returned' },
    { state: 'rejected,partial', is_unappealed: true },
    { is_open: true },
    { is_open: true, sort: 'due_on' },
    { is_open: false, skip: DEEP },
    { is_overpaid: true },
    { type: 'appeal' },
    { brand_id: db.brands.slice(-4).join(','), skip: 500 },
    { company_id: `${db.matriz},${db.matriz + 1}`, skip: 100 },
    { due_until: '2026-06-30' },
    { sent_from: june.from, sent_until: june.until, skip: 100 },
    { credited_from: june.from, credited_until: june.until },
    { technician: 'none' },
    { is_refused: true },
    { is_refused: false },
    { is_refused: true, refused_from: june.from, refused_until: june.until },
    { refusal_reason: 'evidence_missing', refused_category: 'placa' },
    { refused_category: 'none', refused_from: june.from },
    { refusal_reason: 'duplicate' },
    { first_answered_from: june.from, first_answered_until: june.until },
    { first_answered_from: june.from, first_answered_until: june.until, is_first_accepted: true },
    { is_first_accepted: false },
    { search: known.vehicle_chassis.slice(-6) },
    { search: 'maria da silva' },
    { search: 'jo' },
    { search: 'xyzxyz' },
    { search: `SG${known.os_number}` },
    { search: 'silva', skip: 5_000 },
  ]
  const months = (from: string, until: string) =>
    `/api/v1/claims/reports/answers?${new URLSearchParams({ from, until })}`
  const paths = [
    ...list.map(page),
    '/api/v1/claims/reports/receivable',
    `/api/v1/claims/reports/receivable?brand_id=${db.brands[0] ?? 0}`,
    months('2026-06', '2026-06'),
    months('2026-04', '2026-06'),
    months('2025-07', '2026-06'),
    '/api/v1/claims/reports/proposals',
    '/api/v1/deadlines?limit=10',
    '/api/v1/deadlines?limit=10&skip=500',
    '/api/v1/deadlines?limit=10&kind=appeal',
    '/api/v1/deadlines?limit=10&until=2026-07-31',
    '/api/v1/deadlines/counts',
  ]
  return Object.values(db.tokens).flatMap((token) => paths.map((path) => ({ path, token })))
}
