import { timedScenarios as claimScenarios } from './claims-scenarios.ts'
import { isQuick, isWanted, options } from './options.ts'
import { type Arm, batch, cpuOf, startArm, stopArm, warm } from './orders-arms.ts'
import { type Filling, KEPT_CLUSTER, openOrders } from './orders-database.ts'
import { type Scenario, timedScenarios } from './orders-scenarios.ts'
import { record } from './record.ts'
import { type BenchContext, bench, median, note, SERVER, shuffled } from './support.ts'

/** How the processor time of a call grows with the number of orders and of claims, sizes in turns (goals P3 and P4). */
const [SMALL = 10_000, LARGE = 1_000_000] = options.sizes ?? (isQuick ? [1_000, 2_000] : [])
const ROUNDS = options.rounds ?? (isQuick ? 1 : 5)

interface Site {
  arm: Arm
  scenarios: Scenario[]
}

async function openSite(benchContext: BenchContext, filling: Filling, count: number): Promise<Site> {
  const db = await openOrders(benchContext, count, filling)
  const timed = filling === 'orders' ? timedScenarios : claimScenarios
  const scenarios = (await timed(db)).filter(({ name }) => isWanted(name))
  const arm = await startArm(db, SERVER)
  await warm(
    arm,
    scenarios.map(({ call }) => call),
  )
  return { arm, scenarios }
}

async function compareSizes(benchContext: BenchContext, filling: Filling) {
  const small = await openSite(benchContext, filling, SMALL)
  const large = await openSite(benchContext, filling, LARGE)
  for (const [place, { name }] of large.scenarios.entries()) {
    const spent = new Map<Site, number[]>([small, large].map((site) => [site, []]))
    for (let round = -1; round < ROUNDS; round++)
      for (const site of shuffled([small, large])) {
        const { call } = site.scenarios[place] as Scenario
        const cpu = cpuOf(await batch(benchContext, site.arm, call))
        // The first round warms up.
        if (round >= 0) spent.get(site)?.push(cpu)
      }
    const [before = [], after = []] = [spent.get(small), spent.get(large)]
    record({
      ...{ name: `${name}: growth of CPU`, size: LARGE, unit: 'ms' },
      ...{ product: median(after), reference: median(before) },
      ratio: median(after.map((ms, round) => ms / (before[round] ?? Number.NaN))),
    })
    note(name)
  }
  await stopArm(small.arm)
  await stopArm(large.arm)
}

await bench(
  'Growth',
  async (benchContext) => {
    for (const filling of ['orders', 'claims'] as const) await compareSizes(benchContext, filling)
  },
  { cluster: KEPT_CLUSTER },
)
