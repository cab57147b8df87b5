import { setTimeout as sleep } from 'node:timers/promises'
import { isQuick, options } from './options.ts'
import { copyOrders, KEPT_CLUSTER } from './orders-database.ts'
import { record } from './record.ts'
import { bench, median, shuffled } from './support.ts'

/** What keeping sums of orders costs eight writers: the same statements with triggers and without (goal P5). */
const ORDERS = options.sizes?.[0] ?? 100_000
const WRITERS = 8
const ROUNDS = options.rounds ?? (isQuick ? 1 : 4)
const MS = isQuick ? 300 : 3_000
const DEADLOCK = '40P01'

const INSERT = `
  insert into service_orders (os_number, brand_id, company_id, customer_name, customer_document, vehicle_plate)
  values (lpad(($1::int % 1000000)::text, 6, '0'), $2, $3, 'Maria da Silva', lpad($1::text, 11, '0'), 'ABC1D23')
  on conflict do nothing`
const CHANGE = `
  update service_orders set status = case status when 'pending' then 'in_analysis' else 'pending' end::order_status
  where id = $1`

await bench(
  'Writers',
  async (benchContext) => {
    const db = await copyOrders(benchContext, ORDERS)
    const { brands, companies } = db
    const [plain, writers] = [db.pool(1), db.pool(WRITERS)]
    const { rows } = await plain.query<{ id: string }>(
      `select id from service_orders where status not in ('completed', 'cancelled') limit 20000`,
    )
    const ids = rows.map(({ id }) => Number(id))
    const one = (list: readonly number[]) => list[Math.floor(Math.random() * list.length)]
    let number = 0
    const works: Record<string, () => Promise<unknown>> = {
      'writers, new orders': () => writers.query(INSERT, [number++, one(brands), one(companies)]),
      'writers, changes of status': () => writers.query(CHANGE, [one(ids)]),
    }
    let deadlocks = 0
    const rates = new Map<string, number[]>()
    for (let round = 0; round < ROUNDS; round++)
      for (const isKept of shuffled([true, false])) {
        await plain.query(`alter table service_orders ${isKept ? 'enable' : 'disable'} trigger user`)
        for (const [work, write] of Object.entries(works)) {
          let done = 0
          const end = performance.now() + MS
          const writer = async () => {
            while (performance.now() < end)
              await write().then(
                () => done++,
                (error: { code?: string }) => {
                  if (error.code !== DEADLOCK) throw error
                  deadlocks++
                },
              )
          }
          await Promise.all(Array.from({ length: WRITERS }, writer))
          const key = `${work} ${isKept}`
          rates.set(key, [...(rates.get(key) ?? []), (done / MS) * 1_000])
          await sleep(50)
        }
      }
    for (const work of Object.keys(works)) {
      const [product, reference] = [true, false].map((isKept) => median(rates.get(`${work} ${isKept}`) ?? []))
      if (product && reference)
        record({ name: work, unit: '1/s', product, reference, ratio: product / reference })
    }
    record({ name: 'writers, deadlocks', unit: '', product: deadlocks })
    await Promise.all([db.close(), plain.end(), writers.end()])
    await db.drop()
  },
  { cluster: KEPT_CLUSTER },
)
