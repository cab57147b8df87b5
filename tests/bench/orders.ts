import { deepStrictEqual } from 'node:assert/strict'
import { databaseCpu } from './database-cpu.ts'
import { type Call, type Connections, connect } from './load.ts'
import { isWanted, options } from './options.ts'
import { KEPT_CLUSTER, type OrdersDatabase, openOrders } from './orders-database.ts'
import { comparable, otherCalls, type Scenario, timedScenarios } from './orders-scenarios.ts'
import { record } from './results.ts'
import { SLOW_MS, watchStatements } from './slow-statements.ts'
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
} from './support.ts'

/** Orders from ten thousand to a million (goals P1, P3, P4, P11). */
const SIZES = options.sizes ?? (isQuick ? [2_000] : [10_000, 100_000, 1_000_000])
const ROUNDS = options.rounds ?? (isQuick ? 1 : 5)
const CONNECTIONS = 8
const BATCH_MS = isQuick ? 200 : 800
const WARM_MS = isQuick ? 200 : 2_500
const ALONE_CALLS = isQuick ? 3 : 15

interface Arm {
  child: Child
  connections: Connections
}
interface Spent {
  rate: number
  server_ms: number
  database_ms: number
  own_ms: number
}

async function measure(lab: BenchContext, orders: number) {
  const db = await openOrders(lab, orders)
  const slow = await watchStatements(lab, db)
  const arm = async (program: string): Promise<Arm> => {
    const child = await db.start(program)
    return { child, connections: connect(child.url, CONNECTIONS) }
  }
  const [product, minimal] = [await arm(SERVER), await arm(reference('orders'))]
  const scenarios = (await timedScenarios(db)).filter(({ name }) => isWanted(name))
  if (options.names.length === 0) {
    await callEach(product, await otherCalls(db))
    await callEach(
      product,
      scenarios.map(({ call }) => call),
    )
    const found = slow()
    for (const line of found) console.log(`${orders} orders: ${line}`)
    record({ name: `statements over ${SLOW_MS} ms`, size: orders, unit: '', product: found.length })
  }
  await warm(product, scenarios)
  await warm(
    minimal,
    scenarios.filter(({ isReferenced }) => isReferenced),
  )
  for (const scenario of scenarios) {
    await compare(lab, db, scenario, product, scenario.isReferenced ? minimal : undefined)
    note(`${orders} orders: ${scenario.name}`)
  }
  for (const { child, connections } of [product, minimal]) {
    await connections.close()
    await child.stop()
  }
}

async function callEach({ connections }: Arm, calls: Call[]) {
  for (const call of calls) await connections.ask(call)
}

/** A server that has run for a day has compiled its code. */
async function warm({ connections }: Arm, scenarios: Scenario[]) {
  for (const { call } of shuffled(scenarios)) await connections.load(call, WARM_MS / scenarios.length)
}

async function compare(
  lab: BenchContext,
  { orders: size }: OrdersDatabase,
  { name, call }: Scenario,
  product: Arm,
  minimal?: Arm,
) {
  if (minimal) {
    const [ours, theirs] = [await product.connections.ask(call), await minimal.connections.ask(call)]
    deepStrictEqual(comparable(call.path, theirs.body), comparable(call.path, ours.body), name)
  }
  const alone = await aloneMs(product, call)
  const ours: Spent[] = []
  const theirs: Spent[] = []
  for (let round = -1; round < ROUNDS; round++)
    for (const arm of shuffled(minimal ? [product, minimal] : [product])) {
      const spent = await batch(lab, arm, call)
      // The first round warms up.
      if (round >= 0) (arm === product ? ours : theirs).push(spent)
    }
  const of = (list: Spent[], key: keyof Spent) => median(list.map((spent) => spent[key]))
  const cpuOf = (list: Spent[]) => median(list.map(({ server_ms, database_ms }) => server_ms + database_ms))
  const cpu = { name: `${name}: CPU`, size, unit: 'ms', product: cpuOf(ours) }
  const server = { name: `${name}: server CPU`, size, unit: 'ms', product: of(ours, 'server_ms') }
  const database = { name: `${name}: database CPU`, size, unit: 'ms', product: of(ours, 'database_ms') }
  record({ name: `${name}: alone`, size, unit: 'ms', product: alone })
  if (!minimal) return record({ name, size, unit: '1/s', product: of(ours, 'rate') }, cpu, server, database)
  const byRate = median(ours.map(({ rate }, round) => rate / (theirs[round]?.rate ?? Number.NaN)))
  const byCpu = cpuOf(theirs) / cpuOf(ours)
  record(
    // Waiting and computing can both be what is slow; the lower of the two flatters nobody.
    {
      ...{ name, size, unit: '1/s', product: of(ours, 'rate') },
      ...{ reference: of(theirs, 'rate'), ratio: Math.min(byRate, byCpu) },
    },
    { ...cpu, reference: cpuOf(theirs), ratio: byCpu },
    { ...server, reference: of(theirs, 'server_ms') },
    { ...database, reference: of(theirs, 'database_ms') },
    { name: `${name}: load generator CPU`, size, unit: 'ms', product: of(ours, 'own_ms') },
  )
}

async function aloneMs({ connections }: Arm, call: Call) {
  const times: number[] = []
  for (let n = 0; n < ALONE_CALLS; n++) {
    const start = performance.now()
    await connections.ask(call)
    times.push(performance.now() - start)
  }
  return median(times)
}

async function batch(lab: BenchContext, { child, connections }: Arm, call: Call): Promise<Spent> {
  const spentBy = async () => [
    (await child.usage()).cpu_ms,
    (await databaseCpu(lab.postgres.pid)) ?? Number.NaN,
  ]
  const before = await spentBy()
  const { rate, count, own_cpu_ms } = await connections.load(call, BATCH_MS)
  const after = await spentBy()
  const [server_ms = 0, database_ms = 0] = after.map((ms, index) => (ms - (before[index] ?? 0)) / count)
  return { rate, server_ms, database_ms, own_ms: own_cpu_ms }
}

await bench(
  'Orders',
  async (lab) => {
    for (const orders of SIZES) await measure(lab, orders)
  },
  { cluster: KEPT_CLUSTER },
)
