import { otherPlatePattern } from '@garantia/shared/br/vehicle'
import { connect } from './load.ts'
import { isQuick, options } from './options.ts'
import { KEPT_CLUSTER, openOrders } from './orders-database.ts'
import { trpc } from './orders-scenarios.ts'
import { record } from './record.ts'
import { bench, quantile, SERVER, shuffled } from './support.ts'

/** The palette and stepping from order to order (goal: 95 of 100 answers within 150 ms). */
const ORDERS = options.sizes?.[0] ?? (isQuick ? 2_000 : 1_000_000)
const ROUNDS = options.rounds ?? (isQuick ? 3 : 12)
const WARM_CALLS = 100

interface Known {
  id: string
  os_number: string
  vehicle_plate: string
  vehicle_chassis: string
  customer_document: string
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

await bench(
  'Palette',
  async (benchContext) => {
    const { tokens, matriz, plain, start } = await openOrders(benchContext, ORDERS)
    const samplesOf = (company: number | null) =>
      plain.query<Known>(
        `select id, os_number, vehicle_plate, vehicle_chassis, customer_document from service_orders
         where $1::bigint is null or company_id = $1 order by md5(id::text) limit ${ROUNDS}`,
        [company],
      )
    const server = await start(SERVER)
    const connections = connect(server.url, 1)
    const ask = async (token: string, [procedure, input]: [string, object]) => {
      const start = performance.now()
      await connections.ask({ token, path: trpc(`orderList.${procedure}`, input) })
      return performance.now() - start
    }
    const times = new Map<string, number[]>()
    for (const [viewer, token] of Object.entries(tokens)) {
      const { rows: known } = await samplesOf(viewer === 'manager' ? matriz : null)
      for (let i = 0; i < WARM_CALLS; i++) await ask(token, ['find', { search: '000001' }])
      for (const one of known)
        for (const [name, question] of shuffled(Object.entries(questionsAbout(one)))) {
          const key = `palette, ${viewer}, ${name}`
          times.set(key, [...(times.get(key) ?? []), await ask(token, question)])
        }
    }
    await connections.close()
    const p95 = (samples: number[]) => quantile(samples, 0.95)
    for (const [name, samples] of times) record({ name, size: ORDERS, unit: 'ms', product: p95(samples) })
    record({ name: 'palette, p95', size: ORDERS, unit: 'ms', product: p95([...times.values()].flat()) })
  },
  { cluster: KEPT_CLUSTER },
)
