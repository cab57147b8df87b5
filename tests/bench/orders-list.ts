import { Agent, request } from 'node:http'
import { migrateToLatest } from '@garantia/migrations'
import { listOrders, listWithTotal } from '@garantia/server/features/orders/list'
import type { Ctx } from '@garantia/server/kernel'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { otherPlatePattern } from '@garantia/shared/br/vehicle'
import type { OrderListQuery } from '@garantia/shared/orders/schema'
import type pg from 'pg'
import { databaseCpu } from './database-cpu.ts'
import { type MetricFigures, measureMetrics, measureWriters, printMetricsGrowth } from './metrics.ts'
import { insertOrders } from './orders-data.ts'
import { type Plan, recordStatements, replay } from './statements.ts'
import {
  type BenchContext,
  bench,
  type Child,
  isQuick,
  median,
  note,
  reference,
  SERVER,
  shuffled,
  table,
} from './support.ts'

/** The order list from ten thousand to a million orders (goals P1, P3, P11). */
const SIZES = isQuick ? [2_000, 20_000] : [10_000, 100_000, 1_000_000]
const ROUNDS = isQuick ? 2 : 7
const CALLS = 20
const WARM_CALLS = isQuick ? 50 : 500
/** A slow scenario ends its batch after so many milliseconds. */
const BATCH_MS = 1_500
const LIMIT = 10

interface Viewer {
  name: string
  token: string
}
interface Scenario {
  name: string
  viewer: Viewer
  filter: OrderListQuery
  client: 'REST' | 'app'
}
type Arm = 'ours' | 'minimal' | 'bare'
interface Figure {
  ms: Record<Arm, number>
  server_ms: number
  database_ms: number | null
  total: number
}

async function people({ make, kernel }: BenchContext) {
  const brands: number[] = []
  for (let i = 0; i < 12; i++) brands.push((await make.brand({ display_name: `Marca ${i + 1}` })).id)
  const companies: number[] = []
  for (let matriz = 0; companies.length < 200; matriz++) {
    const parent = await make.company({ trading_name: `Grupo ${matriz + 1}` })
    companies.push(parent.id)
    for (let filial = 0; filial < 5 && companies.length < 200; filial++)
      companies.push((await make.company({ parent_id: parent.id })).id)
  }
  const admin = await make.user({ role: 'admin', is_superuser: true })
  const manager = await make.user({ role: 'manager', company_id: companies[12] ?? null })
  const tokenOf = (id: number) => kernel.ctx.sessions.open(id, { ip: null, user_agent: null })
  const viewers = [
    { name: 'admin', token: await tokenOf(admin.id) },
    { name: 'manager', token: await tokenOf(manager.id) },
  ]
  return { brands, companies, viewers }
}

async function scenariosOf(lab: BenchContext, pool: pg.Pool, viewers: Viewer[], brands: number[]) {
  const scenarios: Scenario[] = []
  for (const viewer of viewers) {
    const ctx = {
      ...lab.kernel.ctx,
      actor: (await lab.kernel.ctx.sessions.personOf(viewer.token)) ?? never(),
    }
    const { total, items } = await listOrders(ctx, { limit: 1, skip: SIZES[0] === undefined ? 0 : 20 })
    const one = items[0] ?? never()
    const { rows } = await pool.query<
      Record<'vehicle_plate' | 'vehicle_chassis' | 'customer_document', string>
    >('select vehicle_plate, vehicle_chassis, customer_document from service_orders where id = $1', [one.id])
    const { vehicle_plate, vehicle_chassis, customer_document } = rows[0] ?? never()
    const last = Math.floor((total - 1) / LIMIT) * LIMIT
    const filters: Record<string, OrderListQuery> = {
      'page 1': {},
      'status + brand': { status: ['in_progress'], brand_id: brands[1] },
      'page 1000': { skip: Math.min(9_990, last) },
      'last page': { skip: last },
      'search OS number': { search: one.os_number },
      'search other plate': { search: otherPlatePattern(vehicle_plate) ?? vehicle_plate },
      'search chassis tail': { search: vehicle_chassis.slice(-6) },
      'search document': { search: formatTaxId(customer_document) },
      'search two words': { search: 'adriana zanetti' },
      'search surname': { search: 'zanetti' },
      'search maria': { search: 'maria' },
      'search maria, exact total': { search: 'maria', exact_total: true },
      'by customer': { sort: 'customer_name', direction: 'desc' },
      'by customer, page 1000': { sort: 'customer_name', skip: Math.min(9_990, last) },
      'by value, in progress': { sort: 'total_value', status: ['in_progress'] },
      'open for 20 days': { min_days_open: 20, direction: 'asc' },
    }
    for (const [name, filter] of Object.entries(filters))
      scenarios.push({ name, viewer, client: 'REST', filter: { ...filter, limit: LIMIT } })
    scenarios.push({ name: 'search maria', viewer, client: 'app', filter: { search: 'maria', limit: LIMIT } })
  }
  return scenarios
}

const keyOf = ({ name, viewer, client }: Scenario) =>
  `${viewer.name} ${name}${client === 'app' ? ' (app)' : ''}`
const never = (): never => {
  throw new Error('the bench made no such row')
}

async function measure(lab: BenchContext, pool: pg.Pool, viewers: Viewer[], brands: number[]) {
  const scenarios = await scenariosOf(lab, pool, viewers, brands)
  const plans: Record<string, Plan> = {}
  for (const scenario of scenarios) plans[keyOf(scenario)] = await planOf(lab, scenario)
  const session = await recordStatements(lab.kernel, () => lab.kernel.ctx.sessions.personOf('unknown'))
  const [server, minimal] = await Promise.all([
    lab.start(SERVER),
    lab.start(reference('orders'), { PLAN: JSON.stringify({ session: session[0]?.[0], scenarios: plans }) }),
  ])
  const figures = new Map<string, Figure>()
  await warm(viewers, [
    `${server.url}/api/v1/service-orders?limit=${LIMIT}`,
    `${minimal.url}/admin%20page%201`,
  ])
  for (const scenario of scenarios) {
    const key = keyOf(scenario)
    const { token } = scenario.viewer
    const calls: Record<Arm, () => Promise<unknown>> = {
      ours: () => get(server.url + addressOf(scenario), token),
      minimal: () => get(`${minimal.url}/${encodeURIComponent(key)}`, token),
      bare: () => replay(pool, plans[key] ?? []),
    }
    figures.set(key, await compare(lab, server, calls))
  }
  await Promise.all([server.stop(), minimal.stop()])
  print(scenarios, figures, await countOf(pool))
  return figures
}

/** Warms up a server: one that has run for a day has compiled its code. */
async function warm([viewer]: Viewer[], addresses: string[]) {
  for (const address of addresses)
    for (let i = 0; i < WARM_CALLS; i++) await get(address, (viewer ?? never()).token)
}

function planOf({ kernel }: BenchContext, { viewer, filter, client }: Scenario) {
  return kernel.ctx.sessions
    .personOf(viewer.token)
    .then((actor) =>
      recordStatements(kernel, () =>
        (client === 'REST' ? listWithTotal : listOrders)({ ...kernel.ctx, actor: actor ?? never() }, filter),
      ),
    )
}

const addressOf = ({ filter, client }: Scenario) =>
  client === 'app'
    ? `/trpc/orderList.page?input=${encodeURIComponent(JSON.stringify(filter))}`
    : `/api/v1/service-orders?${new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))}`

async function compare(
  lab: BenchContext,
  server: Child,
  calls: Record<Arm, () => Promise<unknown>>,
): Promise<Figure> {
  const answer = (await calls.ours()) as { total: number }
  const samples: Record<Arm, number[]> = { ours: [], minimal: [], bare: [] }
  const used: { server: number; database: number | null; calls: number }[] = []
  for (let round = -1; round < ROUNDS; round++)
    for (const arm of shuffled(Object.keys(calls) as Arm[])) {
      const before = arm === 'ours' ? await processorTime(lab, server) : null
      const times = await batch(calls[arm])
      const after = before && (await processorTime(lab, server))
      // The first round warms up.
      if (round < 0) continue
      samples[arm].push(...times)
      if (after)
        used.push({
          server: after.server - before.server,
          database:
            after.database === null || before.database === null ? null : after.database - before.database,
          calls: times.length,
        })
    }
  const isMeasured = used.every(({ database }) => database !== null)
  return {
    ms: { ours: median(samples.ours), minimal: median(samples.minimal), bare: median(samples.bare) },
    server_ms: median(used.map(({ server, calls }) => server / calls)),
    database_ms: isMeasured ? median(used.map(({ database, calls }) => (database ?? 0) / calls)) : null,
    total: answer.total,
  }
}

const processorTime = async (lab: BenchContext, server: Child) => ({
  server: (await server.usage()).cpu_ms,
  database: await databaseCpu(lab.postgres.pid),
})

async function batch(call: () => Promise<unknown>) {
  const times: number[] = []
  const end = performance.now() + BATCH_MS
  while (times.length < CALLS && (times.length < 3 || performance.now() < end)) {
    const start = performance.now()
    await call()
    times.push(performance.now() - start)
  }
  return times
}

const agent = new Agent({ keepAlive: true })
/** Reads a page completely and parses it as a client does; an error status throws. */
function get(url: string, token: string): Promise<{ total: number }> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const body = JSON.parse(text) as {
          items?: unknown[]
          total: number
          result?: { data: { total: number } }
        }
        const page = (body.result?.data ?? body) as { items?: unknown[]; total: number }
        if (response.statusCode === 200 && page.items) resolve(page)
        else reject(new Error(`${url} answered ${response.statusCode} ${text.slice(0, 300)}`))
      })
    })
    call.on('error', reject).end()
  })
}

const countOf = async (pool: pg.Pool) =>
  (await pool.query<{ count: string }>('select count(*) from service_orders')).rows[0]?.count ?? '?'

function print(scenarios: Scenario[], figures: Map<string, Figure>, orders: string) {
  console.log(`\n${orders} orders; milliseconds a call, medians of ${ROUNDS} rounds of up to ${CALLS} calls`)
  table(
    [
      'scenario',
      'total',
      'ours',
      'minimal',
      'bare pg',
      'minimal/ours',
      'bare/ours',
      'CPU server',
      'CPU database',
    ],
    scenarios.map((scenario) => {
      const { ms, server_ms, database_ms, total } = figures.get(keyOf(scenario)) ?? never()
      return [
        keyOf(scenario),
        String(total),
        ...[ms.ours, ms.minimal, ms.bare, ms.minimal / ms.ours, ms.bare / ms.ours, server_ms, database_ms],
      ]
    }),
  )
}

function printGrowth(grown: { size: number; figures: Map<string, Figure> }[]) {
  const [small, large] = [grown[0], grown.at(-1)]
  if (!small || !large) return
  const cost = ({ server_ms, database_ms }: Figure) => (database_ms === null ? null : server_ms + database_ms)
  console.log(`\nGrowth from ${small.size} to ${large.size} orders; CPU is server + database`)
  table(
    ['scenario', 'ms', 'ms', 'growth', 'CPU', 'CPU', 'growth'],
    [...small.figures].map(([key, before]) => {
      const after = large.figures.get(key) ?? never()
      const [a, b] = [cost(before), cost(after)]
      return [key, before.ms.ours, after.ms.ours, after.ms.ours / before.ms.ours, a, b, a && b ? b / a : null]
    }),
  )
}

async function actorsOf({ kernel }: BenchContext, viewers: Viewer[]) {
  const actors: Record<string, Ctx['actor']> = {}
  for (const { name, token } of viewers) actors[name] = (await kernel.ctx.sessions.personOf(token)) ?? never()
  return actors
}

await bench('Order list', async (lab) => {
  await migrateToLatest(lab.kernel.pool)
  const { viewers, companies, brands } = await people(lab)
  const pool = lab.pool(4)
  const grown: { size: number; figures: Map<string, Figure>; metrics: MetricFigures }[] = []
  let from = 0
  for (const to of SIZES) {
    await insertOrders(pool, { from, to, companies, brands }, note)
    from = to
    const figures = await measure(lab, pool, viewers, brands)
    grown.push({ size: to, figures, metrics: await measureMetrics(lab, pool, await actorsOf(lab, viewers)) })
  }
  printGrowth(grown)
  printMetricsGrowth(grown)
  await measureWriters(lab, pool, companies, brands)
})
