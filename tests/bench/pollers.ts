import { migrateToLatest } from '@garantia/migrations'
import { databaseCpu } from './database-cpu.ts'
import { type Connections, connect } from './load.ts'
import { isQuick, options } from './options.ts'
import { record } from './record.ts'
import { type BenchContext, bench, type Child, quantile, SERVER } from './support.ts'

/** Open pages of orders that ask again and again whether a file has changed (goal P12). */
const ORDERS = 100
const FILES = 10
const TABS = isQuick ? [10] : [100, 1_000]
const SECONDS = isQuick ? 3 : (options.rounds ?? 3) * 8
/** As the client does (evidence-queries.ts). */
const LIST_EVERY_MS = 3_000
const REPORT_EVERY_MS = 5_000

interface Tab {
  order_id: number
  token: string
  /** Where in its period it begins, between 0 and 1. */
  phase: number
}
/** How a page asks: REST clients name what they have, the screens read over tRPC. */
const WAYS = {
  'with ETag': {
    list: rest('evidence', 'evidence'),
    report: rest('evidence-conversion', 'conversion-report'),
  },
  'as the screens ask': { list: trpc('evidence.list'), report: trpc('conversion.report') },
}
function rest(feature: string, what: string) {
  return (order_id: number) => `/api/v1/${feature}/${order_id}/${what}`
}
function trpc(procedure: string) {
  return (order_id: number) => `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify({ order_id }))}`
}

await bench('Pollers', async (benchContext) => {
  await migrateToLatest(benchContext.kernel.pool)
  const orders = await ordersWithFiles(benchContext)
  const server = await benchContext.start(SERVER)
  for (const count of TABS) {
    const connections = connect(server.url, count)
    const tabs = orders.length === 0 ? [] : await openTabs(benchContext, orders, count)
    for (const [way, addresses] of Object.entries(WAYS)) {
      const name = `${count.toLocaleString('en')} open tabs${way === 'with ETag' ? '' : `, ${way}`}`
      await poll(benchContext, server, connections, tabs, addresses, 1)
      const { share, times, errors } = await poll(benchContext, server, connections, tabs, addresses, SECONDS)
      record(
        { name: `${name}, share of a core`, unit: '%', product: share * 100 },
        { name: `${name}, p99`, unit: 'ms', product: quantile(times, 0.99) },
        { name: `${name}, errors`, unit: '', product: errors },
      )
    }
    await connections.close()
  }
})

async function ordersWithFiles({ make, kernel }: BenchContext) {
  const [brand, company] = [await make.brand(), await make.company()]
  const orders: number[] = []
  for (let n = 0; n < ORDERS; n++) {
    const { id } = await make.order({ brand_id: brand.id, company_id: company.id, status: 'in_progress' })
    const rows = Array.from({ length: FILES }, (_, place) => ({
      order_id: id,
      ...{ file_type: 'image' as const, format: 'jpeg', status: 'converted' as const },
      ...{ original_filename: `foto-${place}.jpg`, original_key: `os/${id}/${place}/original.jpg` },
      ...{
        file_size: 3_000_000,
        sha256: `${n}`.padStart(32, '0') + `${place}`.padStart(32, '0'),
        crc32: place,
      },
      ...{ converted_filename: `foto-${place}.jpg`, converted_key: `os/${id}/${place}/converted-1` },
      ...{ converted_format: 'jpeg', converted_size: 900_000, finished_at: new Date() },
      ...{ converted_sha256: 'a'.repeat(64), converted_crc32: place },
    }))
    await kernel.ctx.db.insertInto('evidence_files').values(rows).execute()
    orders.push(id)
  }
  return orders
}

/** Each tab has its own order; every ten belong to one person. */
async function openTabs({ make, kernel }: BenchContext, orders: number[], count: number): Promise<Tab[]> {
  const tokens: string[] = []
  for (let n = 0; n < count / 10; n++) {
    const { id } = await make.user({ role: 'admin', is_superuser: true })
    tokens.push(await kernel.ctx.sessions.open(id, { ip: null, user_agent: null }))
  }
  return Array.from({ length: count }, (_, n) => ({
    order_id: orders[n % orders.length] ?? 0,
    token: tokens[Math.floor(n / 10)] ?? '',
    phase: ((n * 7_919) % count) / count,
  }))
}

async function poll(
  { postgres }: BenchContext,
  server: Child,
  connections: Connections,
  tabs: Tab[],
  addresses: (typeof WAYS)['with ETag'],
  seconds: number,
) {
  const cpu = async () => (await server.usage()).cpu_ms + ((await databaseCpu(postgres.pid)) ?? Number.NaN)
  const times: number[] = []
  let errors = 0
  const before = await cpu()
  const start = performance.now()
  const end = start + seconds * 1_000
  const repeat = async ({ token, phase }: Tab, path: string, every_ms: number) => {
    let etag: string | undefined
    for (let due = start + phase * every_ms; due < end; due += every_ms) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
      const answer = await connections.ask({ path, token, etag }).catch(() => void errors++)
      // From when it was due: who waits for an answer asks a slow server less.
      times.push(performance.now() - due)
      etag = answer?.etag ?? etag
    }
  }
  await Promise.all(
    tabs.flatMap((tab) => [
      repeat(tab, addresses.list(tab.order_id), LIST_EVERY_MS),
      repeat(tab, addresses.report(tab.order_id), REPORT_EVERY_MS),
    ]),
  )
  return { share: ((await cpu()) - before) / (performance.now() - start), times, errors }
}
