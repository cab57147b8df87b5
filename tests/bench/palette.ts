import { Agent, request } from 'node:http'
import { migrateToLatest } from '@garantia/migrations'
import { otherPlatePattern } from '@garantia/shared/br/vehicle'
import { insertOrders } from './orders-data.ts'
import { type BenchContext, bench, isQuick, note, SERVER, shuffled, table } from './support.ts'

/**
 * The cost of the palette and of stepping from order to order among a million orders (goal: 95 of 100 within
 * 150 ms).
 */
const ORDERS = isQuick ? 20_000 : 1_000_000
const ROUNDS = isQuick ? 3 : 12
const WARM_CALLS = 100

interface Known {
  id: string
  os_number: string
  vehicle_plate: string
  vehicle_chassis: string
  customer_document: string
}

async function people({ make, kernel }: BenchContext) {
  const brands: number[] = []
  for (let i = 0; i < 12; i++) brands.push((await make.brand()).id)
  const companies: number[] = []
  for (let i = 0; i < 60; i++) companies.push((await make.company()).id)
  const tokenOf = (id: number) => kernel.ctx.sessions.open(id, { ip: null, user_agent: null })
  const admin = await make.user({ role: 'admin', is_superuser: true })
  const manager = await make.user({ role: 'manager', company_id: companies[20] ?? null })
  return {
    brands,
    companies,
    tokens: { admin: await tokenOf(admin.id), manager: await tokenOf(manager.id) },
    company_id: companies[20] ?? 0,
  }
}

const agent = new Agent({ keepAlive: true })
/** One call as the screen makes it: over HTTP, read to its end; an error status throws. */
function call(url: string, token: string): Promise<number> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(performance.now() - start)
          : reject(new Error(`${url} answered ${response.statusCode}`)),
      )
    })
    sent.on('error', reject).end()
  })
}

function questionsAbout(known: Known): Record<string, [string, object]> {
  const { id, os_number, vehicle_plate, vehicle_chassis, customer_document } = known
  const find = (search: string): [string, object] => ['find', { search }]
  return {
    'OS number': find(os_number),
    'three digits': find(os_number.slice(-3)),
    plate: find(vehicle_plate),
    'other plate': find(otherPlatePattern(vehicle_plate) ?? vehicle_plate),
    'chassis tail': find(vehicle_chassis.slice(-6)),
    document: find(customer_document),
    'two names': find('adriana zanetti'),
    'frequent name': find('maria'),
    'two letters': find('jo'),
    nobody: find('xyzxyz'),
    'around, whole list': ['around', { id: Number(id) }],
    'around, by value': ['around', { id: Number(id), sort: 'total_value', direction: 'desc' }],
    'around, in progress': ['around', { id: Number(id), status: 'in_progress' }],
    'around, search': ['around', { id: Number(id), search: 'maria' }],
  }
}

const at = (times: number[], part: number) =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0

await bench('Palette', async (lab) => {
  await migrateToLatest(lab.kernel.pool)
  const { brands, companies, tokens, company_id } = await people(lab)
  const pool = lab.pool(2)
  await insertOrders(pool, { from: 0, to: ORDERS, companies, brands }, note)
  const samplesOf = (company: number | null) =>
    pool.query<Known>(
      `select id, os_number, vehicle_plate, vehicle_chassis, customer_document from service_orders
       where $1::bigint is null or company_id = $1 order by md5(id::text) limit ${ROUNDS}`,
      [company],
    )
  const server = await lab.start(SERVER)
  const rows: (string | number)[][] = []
  for (const [viewer, token] of Object.entries(tokens)) {
    const { rows: known } = await samplesOf(viewer === 'manager' ? company_id : null)
    const addressOf = ([procedure, input]: [string, object]) =>
      `${server.url}/trpc/orderList.${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`
    for (let i = 0; i < WARM_CALLS; i++) await call(addressOf(['find', { search: '000001' }]), token)
    const times = new Map<string, number[]>()
    for (const one of known)
      for (const [name, question] of shuffled(Object.entries(questionsAbout(one))))
        times.set(name, [...(times.get(name) ?? []), await call(addressOf(question), token)])
    for (const [name, samples] of times)
      rows.push([`${viewer} ${name}`, at(samples, 0.5), at(samples, 0.95), Math.max(...samples)])
  }
  await server.stop()
  console.log(`\n${ORDERS} orders; milliseconds a call over HTTP, ${ROUNDS} orders asked for`)
  table(['question', 'p50', 'p95', 'slowest'], rows)
})
