import { setTimeout as sleep } from 'node:timers/promises'
import { readMetrics } from '@garantia/server/features/orders/dashboard'
import { summarizeOrders } from '@garantia/server/features/orders/list'
import type { Ctx } from '@garantia/server/kernel'
import type pg from 'pg'
import { type Plan, recordStatements, replay } from './statements.ts'
import { type BenchContext, isQuick, median, rounds, shuffled, table, timed } from './support.ts'

/** Cards and dashboard (goal P4), and what keeping their sums costs the writers (goal P5). */
const ROUNDS = isQuick ? 3 : 15
const SLOW_ROUNDS = isQuick ? 1 : 3
const WRITERS = 8
const WRITE_ROUNDS = isQuick ? 1 : 4
const WRITE_MS = isQuick ? 500 : 3_000
/** The day after the last order of the data. */
const NOW = new Date('2026-07-01T12:00:00-03:00')

/** The queries of a dashboard without stored sums. */
const NAIVE = `
  select count(*), count(*) filter (where status = 'completed'), sum(total_value) filter (where status = 'completed'),
    avg(completed_at - opened_at), count(distinct customer_identity), count(*) filter (where opened_at > $2)
  from service_orders where deleted_at is null and ($1::bigint[] is null or company_id = any($1)) group by brand_id`

export type MetricFigures = Map<string, { use_case: number; bare: number; naive: number }>

export async function measureMetrics(lab: BenchContext, pool: pg.Pool, actors: Record<string, Ctx['actor']>) {
  const figures: MetricFigures = new Map()
  for (const [who, actor] of Object.entries(actors)) {
    const ctx = { ...lab.kernel.ctx, actor, clock: () => NOW }
    const scope = actor.kind === 'user' && actor.scope !== 'all' ? actor.scope : null
    const month = { start_date: '2026-06-01', end_date: '2026-06-30' }
    const calls: Record<string, () => Promise<unknown>> = {
      'dashboard cards': () => readMetrics(ctx, {}),
      'dashboard 30 days': () => readMetrics(ctx, month),
      'list cards': () => summarizeOrders(ctx, {}),
      'list cards, search maria': () => summarizeOrders(ctx, { search: 'maria' }),
    }
    for (const [name, call] of Object.entries(calls)) {
      const plan: Plan = await recordStatements(lab.kernel, call)
      const naive = await rounds(SLOW_ROUNDS, {
        naive: () => timed(() => pool.query(NAIVE, [scope, new Date(NOW.getTime() - 7 * 86_400_000)])),
      })
      const samples = await rounds(ROUNDS, {
        use_case: () => timed(call),
        bare: () => timed(() => replay(pool, plan)),
      })
      figures.set(`${who} ${name}`, {
        use_case: median(samples.use_case),
        bare: median(samples.bare),
        naive: median(naive.naive),
      })
    }
  }
  table(
    ['cards and dashboard', 'ours ms', 'bare ms', 'scan ms', 'bare/ours', 'scan/ours'],
    [...figures].map(([name, { use_case, bare, naive }]) => [
      name,
      ...[use_case, bare, naive, bare / use_case, naive / use_case],
    ]),
  )
  return figures
}

/** Eight writers open orders or change their status, with the sums kept and without. */
export async function measureWriters(
  lab: BenchContext,
  pool: pg.Pool,
  companies: number[],
  brands: number[],
) {
  const { rows } = await pool.query<{ id: string }>(
    `select id from service_orders where status not in ('completed', 'cancelled') order by random() limit 20000`,
  )
  const writers = lab.pool(WRITERS)
  let deadlocks = 0
  let number = 0
  const one = (list: readonly number[]) => list[Math.floor(Math.random() * list.length)]
  const works = {
    insert: () =>
      writers.query(
        `insert into service_orders (os_number, brand_id, company_id, customer_name, customer_document, vehicle_plate)
         values (lpad(($1::int % 1000000)::text, 6, '0'), $2, $3, 'Maria da Silva', lpad($1::text, 11, '0'), 'ABC1D23')
         on conflict do nothing`,
        [number++, one(brands), one(companies)],
      ),
    'change of status': () =>
      writers.query(
        `update service_orders set status = case status when 'pending' then 'in_analysis' else 'pending' end::order_status
         where id = $1`,
        [one(rows.map(({ id }) => Number(id)))],
      ),
  }
  const rates = new Map<string, number[]>()
  for (let round = 0; round < WRITE_ROUNDS; round++)
    for (const isKept of shuffled([true, false])) {
      await pool.query(`alter table service_orders ${isKept ? 'enable' : 'disable'} trigger user`)
      for (const [name, work] of Object.entries(works)) {
        let done = 0
        const end = performance.now() + WRITE_MS
        await Promise.all(
          Array.from({ length: WRITERS }, async () => {
            while (performance.now() < end)
              await work()
                .then(() => done++)
                .catch((error: { code?: string }) => {
                  if (error.code !== '40P01') throw error
                  deadlocks++
                })
          }),
        )
        const key = `${name} ${isKept ? 'with sums' : 'without'}`
        rates.set(key, [...(rates.get(key) ?? []), done / (WRITE_MS / 1000)])
        await sleep(50)
      }
    }
  await pool.query('alter table service_orders enable trigger user')
  const rateOf = (key: string) => median(rates.get(key) ?? [])
  console.log(`\n${WRITERS} writers, ${deadlocks} deadlocks`)
  table(
    ['work', 'with sums a second', 'without', 'ratio'],
    Object.keys(works).map((name) => {
      const [kept, bare] = [rateOf(`${name} with sums`), rateOf(`${name} without`)]
      return [name, kept, bare, kept / bare]
    }),
  )
}

export function printMetricsGrowth(grown: { size: number; metrics: MetricFigures }[]) {
  const [small, large] = [grown[0], grown.at(-1)]
  if (!small || !large) return
  table(
    ['bare ms', String(small.size), String(large.size), 'growth'],
    [...small.metrics].map(([name, { bare }]) => {
      const after = large.metrics.get(name)?.bare ?? Number.NaN
      return [name, bare, after, after / bare]
    }),
  )
}
