import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { migrateToLatest } from '@garantia/migrations'
import { buildApp } from '@garantia/server/app'
import { type Ctx, openKernel, openLog, readConfig } from '@garantia/server/kernel'
import pg from 'pg'
import { asAdmin, onDatabase } from '../support/postgres.ts'
import { type Compared, callsOf, compareAnswers, NOW, type Side } from './answers.ts'
import { insertOddOrders } from './odd-orders.ts'
import { insertOrders } from './orders-data.ts'
import { type BenchContext, bench, note, table } from './support.ts'

/**
 * Whether other sources of the product answer as these do: `node tests/bench/same-answers.ts FOLDER [ORDERS] [N]`
 * takes the folder of a clone with its dependencies, the number of generated orders (20,000), and compares every
 * Nth call (all). Both run on the same data, each on a database with its own migrations.
 */
const [folder, size = '20000', every = '1'] = process.argv.slice(2)
if (!folder) throw new Error('usage: node tests/bench/same-answers.ts FOLDER [ORDERS] [N]')

/** A module of the other sources, which has the exports of our own. */
const other = <Module>(path: string): Promise<Module> =>
  import(pathToFileURL(resolve(folder, path)).href) as Promise<Module>
const [oldMigrations, oldKernel, oldApp] = await Promise.all([
  other<{ migrateToLatest: typeof migrateToLatest }>('migrations/index.ts'),
  other<{ openKernel: typeof openKernel }>('server/src/kernel/index.ts'),
  other<{ buildApp: typeof buildApp }>('server/src/app.ts'),
])

async function opened(url: string, dir: string, open: typeof openKernel) {
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: dir,
    SIGNING_KEY: '5e'.repeat(32),
    DOSSIER_KEY: 'd0'.repeat(32),
  })
  return open(config, openLog('silent', 'bench'), { connections: 6 })
}
const atNow = (ctx: Ctx): Ctx => ({ ...ctx, clock: () => NOW })

/** Companies, brands, orders and one signed-in person of each role. */
async function fill({ make, kernel, postgres }: BenchContext) {
  const brands: number[] = []
  for (let n = 0; n < 4; n++) brands.push((await make.brand({ display_name: `Marca ${n}` })).id)
  const matriz = await make.company({ trading_name: 'Matriz' })
  const companies = [matriz.id]
  for (let n = 0; n < 3; n++) companies.push((await make.company({ parent_id: matriz.id })).id)
  for (let n = 0; n < 12; n++) companies.push((await make.company()).id)
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
  await insertOrders(pool, { to: Number(size), companies, brands }, note)
  await insertOddOrders(pool, { companies, brands })
  await pool.end()
  const people = {
    administrator: await make.user({ role: 'admin', is_superuser: true }),
    'manager of a matriz': await make.user({ role: 'manager', company_id: matriz.id }),
    'technician of a filial': await make.user({ role: 'technician', company_id: companies[1] ?? null }),
    'nobody’s technician': await make.user({ role: 'technician', company_id: null }),
  }
  const tokens: Record<string, string> = {}
  for (const [role, { id }] of Object.entries(people))
    tokens[role] = await kernel.ctx.sessions.open(id, { ip: null, user_agent: null })
  const { rows } = await kernel.pool.query<{ id: number }>(
    `select id from service_orders where deleted_at is null and company_id = $1 order by os_number limit 3`,
    [companies[1]],
  )
  return {
    tokens,
    ids: { brands, companies: companies.slice(0, 5), orders: rows.map(({ id }) => Number(id)) },
  }
}

await bench('Same answers', async (benchContext) => {
  await oldMigrations.migrateToLatest(benchContext.kernel.pool)
  const { tokens, ids } = await fill(benchContext)
  const newUrl = onDatabase(benchContext.postgres.owner_url, 'new_sources')
  await asAdmin(
    benchContext.postgres.admin_url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'garantia'`,
  )
  await asAdmin(
    benchContext.postgres.admin_url,
    'create database new_sources template garantia owner garantia',
  )
  const old = await opened(benchContext.postgres.owner_url, `${benchContext.dir}/old`, oldKernel.openKernel)
  const now = await opened(newUrl, `${benchContext.dir}/new`, openKernel)
  await migrateToLatest(now.pool)
  const sides: [Side, Side] = [
    { app: await oldApp.buildApp(atNow(old.ctx)), tokens },
    { app: await buildApp(atNow(now.ctx)), tokens },
  ]
  const calls = callsOf(ids).filter((_, index) => index % Number(every) === 0)
  const all: Compared[] = []
  for await (const one of compareAnswers(...sides, calls)) {
    all.push(one)
    if (all.length % 1_000 === 0) note(`${all.length} of ${calls.length * Object.keys(tokens).length}`)
  }
  for (const { app } of sides) await app.close()
  await Promise.all([old.close(), now.close()])
  print(all)
})

function print(all: Compared[]) {
  const different = all.filter(({ difference }) => difference)
  console.log(`\n${all.length} answers compared, ${different.length} differ`)
  for (const { role, call, difference } of different.slice(0, 20))
    console.log(`\n${role}: ${call.newAddress ?? call.address}\n${pair(difference)}`)
  const slowest = [...all].sort((a, b) => b.new_ms - a.new_ms).slice(0, 15)
  table(
    ['slowest', 'who', 'old ms', 'new ms'],
    slowest.map(({ call, role, old_ms, new_ms }) => [
      decodeURIComponent(call.address).slice(0, 90),
      role,
      old_ms,
      new_ms,
    ]),
  )
  if (different.length > 0) process.exitCode = 1
}
/** Both texts from a little before the first difference. */
function pair([before, after]: [string, string] = ['', '']) {
  let at = 0
  while (at < before.length && before[at] === after[at]) at++
  const part = (text: string) => text.slice(Math.max(0, at - 60), at + 160)
  return `  old …${part(before)}\n  new …${part(after)}`
}
