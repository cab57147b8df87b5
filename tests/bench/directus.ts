import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/product.ts'
import { type Call, connect } from './load.ts'
import { options } from './options.ts'
import { copyOrders, KEPT_CLUSTER } from './orders-database.ts'
import { rest } from './orders-scenarios.ts'
import { record } from './record.ts'
import { bench, median, note, SERVER, shuffled } from './support.ts'

/**
 * The list against Directus on the same rows and indexes (goal P2). `DIRECTUS_DIR` names a folder in which
 * `npm install directus` was run; without it nothing is measured.
 */
const dir = process.env.DIRECTUS_DIR
const ORDERS = options.sizes?.[0] ?? 1_000_000
const ROUNDS = options.rounds ?? 3
const CONNECTIONS = 8
const BATCH_MS = 1_500

/** The columns of our list, with the names of brand and company. */
const FIELDS = [
  ...[
    'id',
    'os_number',
    'status',
    'conversion_status',
    'opened_at',
    'completed_at',
    'vehicle_model',
    'vehicle_year',
  ],
  ...[
    'vehicle_plate',
    'vehicle_chassis',
    'customer_name',
    'customer_phone',
    'customer_document',
    'technician_name',
  ],
  ...[
    'technician_user_id',
    'created_by',
    'total_value',
    'brand_id.id',
    'brand_id.display_name',
    'company_id.id',
  ],
  ...['company_id.trading_name', 'company_id.legal_name'],
].join()

const items = (more: Record<string, string | number>) =>
  `/items/service_orders?${new URLSearchParams({
    ...{ limit: '10', sort: '-opened_at,-id', fields: FIELDS, meta: 'filter_count' },
    'filter[deleted_at][_null]': 'true',
    ...Object.fromEntries(Object.entries(more).map(([key, value]) => [key, String(value)])),
  })}`

async function startDirectus(folder: string, database: string) {
  const port = await freePort()
  const token = randomBytes(24).toString('hex')
  const env = {
    PATH: process.env.PATH ?? '',
    ...{ DB_CLIENT: 'pg', DB_CONNECTION_STRING: database, HOST: '127.0.0.1', PORT: String(port) },
    ...{ KEY: randomBytes(16).toString('hex'), SECRET: randomBytes(32).toString('hex'), TELEMETRY: 'false' },
    ...{
      ADMIN_EMAIL: 'admin@exemplo.com.br',
      ADMIN_PASSWORD: randomBytes(12).toString('hex'),
      ADMIN_TOKEN: token,
    },
    ...{ LOG_LEVEL: 'warn', CACHE_ENABLED: 'false', RATE_LIMITER_ENABLED: 'false', NODE_ENV: 'production' },
  }
  const cli = (command: string) =>
    // The machine's Node, for which the folder was installed: Directus has a compiled part.
    spawn('node', ['node_modules/directus/cli.js', command], {
      ...{ cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] as const },
    })
  const endOf = (child: ReturnType<typeof cli>) =>
    new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  if ((await endOf(cli('bootstrap'))) !== 0) throw new Error('directus bootstrap failed')
  const child = cli('start')
  const ended = endOf(child)
  const url = `http://127.0.0.1:${port}`
  const isServing = () =>
    fetch(`${url}/server/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isServing())) {
    if (child.exitCode !== null) throw new Error('directus ended')
    await sleep(200)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, token, stop }
}

if (dir === undefined) console.log('DIRECTUS_DIR is not set: goal P2 is not measured.')
else
  await bench(
    'Directus',
    async (benchContext) => {
      const db = await copyOrders(benchContext, ORDERS)
      // Directus lists tables without a key or of the queue as well; only ours are asked for.
      const directus = await startDirectus(dir, db.url)
      const server = await db.start(SERVER)
      const [ours, theirs] = [connect(server.url, CONNECTIONS), connect(directus.url, CONNECTIONS)]
      const brand_id = db.brands[1] ?? 0
      const works: Record<string, [ours: string, theirs: string]> = {
        'list, page 1': [rest({ limit: 10 }), items({})],
        'list, status and brand': [
          rest({ limit: 10, status: 'in_progress', brand_id }),
          items({ 'filter[status][_eq]': 'in_progress', 'filter[brand_id][_eq]': brand_id }),
        ],
        'list, page 1000': [rest({ limit: 10, skip: 9_990 }), items({ offset: 9_990 })],
        'search, frequent name': [rest({ limit: 10, search: 'maria' }), items({ search: 'maria' })],
      }
      for (const [name, [path, other]] of Object.entries(works)) {
        const arms: Record<'ours' | 'theirs', () => Promise<number>> = {
          ours: async () => (await ours.load({ path, token: db.tokens.admin } satisfies Call, BATCH_MS)).rate,
          theirs: async () => (await theirs.load({ path: other, token: directus.token }, BATCH_MS)).rate,
        }
        const rates: Record<keyof typeof arms, number[]> = { ours: [], theirs: [] }
        for (let round = 0; round < ROUNDS; round++)
          for (const arm of shuffled(['ours', 'theirs'] as const)) rates[arm].push(await arms[arm]())
        const [product, reference] = [median(rates.ours), median(rates.theirs)]
        record({
          ...{ name: `Directus: ${name}`, size: ORDERS, unit: '1/s' },
          ...{ product, reference, ratio: product / reference },
        })
        note(`${name}: ${Math.round(product)} and ${reference.toFixed(2)} a second`)
      }
      await Promise.all([ours.close(), theirs.close()])
      await Promise.all([server.stop(), directus.stop()])
      await db.close()
      await db.drop()
    },
    { cluster: KEPT_CLUSTER },
  )
