import { deepStrictEqual } from 'node:assert/strict'
import type { FilledOrders } from './fill-orders.ts'
import type { Call } from './load.ts'
import { isQuick, isWanted, options } from './options.ts'
import { type Arm, batch, cpuOf, medianOf, type Spent, startArm, stopArm, warm } from './orders-arms.ts'
import { databaseOf, type Filling, KEPT_CLUSTER, openOrders } from './orders-database.ts'
import { comparable, type Scenario } from './orders-scenarios.ts'
import { record } from './record.ts'
import { SLOW_MS, watchStatements } from './slow-statements.ts'
import { type BenchContext, bench, median, note, reference, SERVER, shuffled } from './support.ts'

const SIZES = options.sizes ?? (isQuick ? [2_000] : [10_000, 100_000, 1_000_000])
const ROUNDS = options.rounds ?? (isQuick ? 1 : 5)
const ALONE_CALLS = isQuick ? 3 : 15

interface Calls {
  /** What is measured under load. */
  timed(db: FilledOrders): Promise<Scenario[]>
  /** What else can be asked: none of its statements may be slow. */
  others(db: FilledOrders): Promise<Call[]>
}

/** Measures calls on databases of each size, against the reference server of that name. */
export const measureCalls = (filling: Filling, calls: Calls) =>
  bench(
    filling === 'orders' ? 'Orders' : 'Claims',
    async (benchContext) => {
      for (const size of SIZES) await measure(benchContext, size, filling, calls)
    },
    { cluster: KEPT_CLUSTER },
  )

async function measure(benchContext: BenchContext, size: number, filling: Filling, calls: Calls) {
  const db = await openOrders(benchContext, size, filling)
  const scenarios = (await calls.timed(db)).filter(({ name }) => isWanted(name))
  const others = await calls.others(db)
  // The statements of the bench itself are behind it.
  const slow = await watchStatements(benchContext, databaseOf(filling, size))
  const [product, minimal] = [await startArm(db, SERVER), await startArm(db, reference(filling))]
  if (options.names.length === 0) {
    await callEach(product, others)
    await callEach(
      product,
      scenarios.map(({ call }) => call),
    )
    const found = slow()
    for (const line of found) console.log(`${size} ${filling}: ${line}`)
    const name = `${filling === 'orders' ? '' : `${filling}, `}statements over ${SLOW_MS} ms`
    record({ name, size, unit: '', product: found.length })
  }
  const callsOf = (list: Scenario[]) => list.map(({ call }) => call)
  await warm(product, callsOf(scenarios))
  await warm(minimal, callsOf(scenarios.filter(({ isReferenced }) => isReferenced)))
  for (const scenario of scenarios) {
    await compare(benchContext, size, scenario, product, scenario.isReferenced ? minimal : undefined)
    note(`${size} ${filling}: ${scenario.name}`)
  }
  for (const arm of [product, minimal]) await stopArm(arm)
}

async function callEach({ connections }: Arm, calls: Call[]) {
  for (const call of calls) await connections.ask(call)
}

async function compare(
  benchContext: BenchContext,
  size: number,
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
      const spent = await batch(benchContext, arm, call)
      // The first round warms up.
      if (round >= 0) (arm === product ? ours : theirs).push(spent)
    }
  const [of, cpu_ms] = [medianOf, (list: Spent[]) => median(list.map(cpuOf))]
  const cpu = { name: `${name}: CPU`, size, unit: 'ms', product: cpu_ms(ours) }
  const server = { name: `${name}: server CPU`, size, unit: 'ms', product: of(ours, 'server_ms') }
  const database = { name: `${name}: database CPU`, size, unit: 'ms', product: of(ours, 'database_ms') }
  record({ name: `${name}: alone`, size, unit: 'ms', product: alone })
  if (!minimal) return record({ name, size, unit: '1/s', product: of(ours, 'rate') }, cpu, server, database)
  const byRate = median(ours.map(({ rate }, round) => rate / (theirs[round]?.rate ?? Number.NaN)))
  const byCpu = cpu_ms(theirs) / cpu_ms(ours)
  record(
    // Waiting and computing can both be what is slow; the lower of the two flatters nobody.
    {
      ...{ name, size, unit: '1/s', product: of(ours, 'rate') },
      ...{ reference: of(theirs, 'rate'), ratio: Math.min(byRate, byCpu) },
    },
    { ...cpu, reference: cpu_ms(theirs), ratio: byCpu },
    { ...server, reference: of(theirs, 'server_ms') },
    { ...database, reference: of(theirs, 'database_ms') },
    { name: `${name}: load generator CPU`, size, unit: 'ms', product: of(ours, 'own_cpu_ms') },
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
