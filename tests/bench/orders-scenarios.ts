import type { FilledOrders } from './fill-orders.ts'
import type { Call } from './load.ts'

export interface Scenario {
  name: string
  call: Call
  /** Whether the reference answers it too. */
  isReferenced: boolean
}
type Filter = Record<string, string | number>

export const LIMIT = 10
export const DEEP = 9_990

export const rest = (filter: Filter) =>
  `/api/v1/service-orders?${new URLSearchParams(Object.entries(filter).map(([k, v]) => [k, String(v)]))}`
export const trpc = (procedure: string, input: object) =>
  `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`

interface Known {
  id: number
  os_number: string
  vehicle_plate: string
  vehicle_chassis: string
  customer_document: string
}

/** What is measured under load, by name as in goals.ts. */
export async function timedScenarios(db: FilledOrders): Promise<Scenario[]> {
  const { tokens, brands, orders } = db
  const known = await orderFrom(db, 20)
  const page = (filter: Filter) => rest({ limit: LIMIT, ...filter })
  const last = Math.floor((orders - 1) / LIMIT) * LIMIT
  const compared: Record<string, string> = {
    'list, page 1, REST': page({}),
    'list, page 1, tRPC': trpc('orderList.page', { limit: LIMIT }),
    'list, status and brand': page({ status: 'in_progress', brand_id: brands[1] ?? 0 }),
    'list, page 1000': page({ skip: Math.min(DEEP, last) }),
    'list, last page': page({ skip: last }),
    'search, part of a plate': page({ search: known.vehicle_plate.slice(0, 5) }),
    'search, OS number': page({ search: known.os_number }),
    'order, detail': `/api/v1/service-orders/${known.id}`,
    'users/me': '/api/v1/users/me',
  }
  const alone: Record<string, string> = {
    'search, frequent name, REST': page({ search: 'maria' }),
    'search, frequent name, screen': trpc('orderList.page', { search: 'maria', limit: LIMIT }),
    'dashboard, 30 days': metrics({ start_date: '2026-06-01', end_date: '2026-06-30' }),
    'dashboard, all time': metrics({}),
  }
  const of = (paths: Record<string, string>, token: string, isReferenced: boolean) =>
    Object.entries(paths).map(([name, path]) => ({ name, call: { path, token }, isReferenced }))
  return [
    ...of(compared, tokens.admin, true),
    ...of(alone, tokens.admin, false),
    ...of({ 'search, surname, manager': page({ search: 'silva' }) }, tokens.manager, false),
  ]
}

const metrics = (period: Record<string, string>) =>
  `/api/v1/service-orders/dashboard/metrics?${new URLSearchParams(period)}`

/** Everything a request can ask of many orders, for both viewers: none of its statements may be slow. */
export async function otherCalls(db: FilledOrders): Promise<Call[]> {
  const known = await orderFrom(db, 4_000)
  const list: Filter[] = [
    { sort: 'customer_name', direction: 'desc' },
    { sort: 'customer_name', skip: DEEP },
    { sort: 'os_number', skip: DEEP },
    { sort: 'total_value', status: 'in_progress' },
    { min_days_open: 20, direction: 'asc' },
    { conversion_status: 'failed' },
    { company_id: db.matriz, skip: 500 },
    { status: 'created,pending,ready', brand_id: db.brands.slice(-3).join(',') },
    { brand_id: db.brands.slice(-4).join(','), skip: DEEP },
    { status: 'ready', company_id: `${db.matriz},${db.matriz + 1},${db.matriz + 2}`, skip: 100 },
    { start_date: '2026-05-01', end_date: '2026-05-31', status: 'completed', skip: 500 },
    { start_date: '2026-06-20', sort: 'os_number' },
    { end_date: '2024-06-30', sort: 'total_value', direction: 'desc' },
    { min_days_open: 20, max_days_open: 29, sort: 'customer_name' },
    { responsible: 'none', status: 'pending' },
    { responsible: 'me', sort: 'os_number' },
    { search: known.vehicle_chassis.slice(-6) },
    { search: known.customer_document },
    { search: 'maria da silva' },
    { search: 'adriana zanetti' },
    { search: 'jo' },
    { search: 'xyzxyz' },
    { search: 'silva', skip: 5_000 },
  ]
  const screen = ['maria', 'jo', '123', known.os_number, 'xyzxyz'].flatMap((search) => [
    trpc('orderList.find', { search }),
    trpc('orderList.page', { search, limit: LIMIT }),
  ])
  const around = [
    {},
    { sort: 'total_value', direction: 'desc' },
    { status: 'in_progress' },
    { search: 'maria' },
  ]
  const paths = [
    ...list.map((filter) => rest({ limit: LIMIT, ...filter })),
    ...screen,
    ...around.map((position) => trpc('orderList.around', { id: known.id, ...position })),
    metrics({ start_date: '2025-07-01', end_date: '2026-06-30' }),
    trpc('dashboard.recent', {}),
    trpc('dashboard.attention', {}),
    trpc('orderList.workload', {}),
  ]
  return Object.values(db.tokens).flatMap((token) => paths.map((path) => ({ path, token })))
}

/** An answer without what only the product knows: the entries of the status menu, the companies of a scope. */
export function comparable(path: string, answer: Buffer | string) {
  const body = JSON.parse(answer.toString())
  if (path.endsWith('/users/me')) return { id: body.id, email: body.email }
  if (body.allowed_transitions) return { ...body, allowed_transitions: [] }
  return body
}

/** The order at this place of the list of the manager, who sees the fewest. */
export async function orderFrom({ plain, matriz }: FilledOrders, place: number) {
  const { rows } = await plain.query<Known>(
    `select id::int, os_number, vehicle_plate, vehicle_chassis, customer_document from service_orders
     where company_id = $1 order by opened_at desc, id desc
     offset least($2, (select count(*) from service_orders where company_id = $1) - 1) limit 1`,
    [matriz, place],
  )
  if (!rows[0]) throw new Error('the bench made no such order')
  return rows[0]
}
