import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freshDatabase } from '../support/postgres.ts'
import { startProduct as start } from '../support/product.ts'

const execFileAsync = promisify(execFile)

export type Product = Omit<Awaited<ReturnType<typeof start>>, 'stop'> & { databaseUrl: string }

/**
 * Every test calls from one address; the limits have tests of their own. Reading a photo takes a second of processor
 * time: `photo-reading.spec.ts` turns it on.
 */
const SETTINGS = { LOGIN_LIMIT: '0', SIGNUP_LIMIT: '0', RECOVERY_LIMIT: '0', PHOTO_READING: 'false' }

/** A product that its spec stops. */
export type OwnProduct = Awaited<ReturnType<typeof startProduct>>

/**
 * A product with settings of its own, as `npm start` runs it with a DATABASE_URL: server, worker and their
 * supervisor on a folder and a database, copied from the run's template. What its own PostgreSQL adds is tested
 * in runtime/.
 */
export async function startProduct(env: Record<string, string> = {}) {
  const { product, database } = await startOnFreshDatabase(env)
  return {
    ...product,
    databaseUrl: database.url,
    async stop() {
      await product.stop()
      await database.drop()
    },
  }
}

async function startOnFreshDatabase(env: Record<string, string>) {
  const database = await freshDatabase()
  return { database, product: await start({ ...SETTINGS, ...env, DATABASE_URL: database.url }) }
}

/** An operator's command on a running product, as `npm run worker -- …` gives it. */
export async function operate({ dir, databaseUrl }: Product, ...command: string[]) {
  const { stdout } = await execFileAsync(
    process.execPath,
    ['server/src/standalone.ts', 'worker', ...command],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, DATA_DIR: dir, DATABASE_URL: databaseUrl },
    },
  )
  return stdout
}

async function onDatabaseOf<T>({ databaseUrl }: Product, work: (client: Client) => Promise<T>) {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A job of the queue that has failed once and waits for tomorrow. */
export const failedJob = (product: Product) =>
  onDatabaseOf(product, async (client) => {
    const { rows } = await client.query<{
      id: string
    }>(`select id from graphile_worker.add_job('recheck-orders',
      '{"brand_id": 1}', run_at => now() + interval '1 day')`)
    await client.query(
      `update graphile_worker._private_jobs set attempts = 1, last_error = 'o banco não respondeu' where id = $1`,
      [rows[0]?.id],
    )
  })

/** Makes somebody a manager whose session goes on, as no screen does: a lower role ends it. */
export const demote = (product: Product, id: number) =>
  onDatabaseOf(product, (client) => client.query(`update users set role = 'manager' where id = $1`, [id]))

/** What a server has noted of a problem that lasts, without waiting for its looks. */
export const noticedProblem = (product: Product, kind: string) =>
  onDatabaseOf(product, (client) =>
    client.query(
      `insert into work_alarms (kind, since) values ($1, now() - interval '5 minutes')
        on conflict (kind) do update set since = excluded.since`,
      [kind],
    ),
  )

let running: ReturnType<typeof startOnFreshDatabase> | undefined

/**
 * The product that runs as long as this browser worker, one for all its spec files, with nothing in it but its
 * first superuser. It stops when the worker ends.
 */
export async function openProduct(): Promise<Product> {
  if (running) await empty((await running).database.owner_url)
  running ??= startOnFreshDatabase({})
  const { product, database } = await running
  return { ...product, databaseUrl: database.url }
}

/** Not emptied: migrations and the running worker. */
const KEPT = ['kysely_migration', 'kysely_migration_lock', 'schema_compatibility', 'worker_processes']
const JOBS_END_MS = 60_000

/** Deletes every row but that of the first superuser. Ids go on, so that nothing late finds a new row. */
async function empty(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await endJobs(client)
    const { rows } = await client.query<{ tables: string; columns: string }>(
      `select (select string_agg(quote_ident(tablename), ', ') from pg_tables
                 where schemaname = 'public' and tablename <> all($1)) as tables,
              (select string_agg(quote_ident(column_name), ', ') from information_schema.columns
                 where table_schema = 'public' and table_name = 'users' and is_generated = 'NEVER') as columns`,
      [KEPT],
    )
    const { tables, columns } = rows[0] ?? {}
    await client.query(`begin;
      create temporary table first_superuser on commit drop as
        select ${columns} from users order by id limit 1;
      truncate ${tables};
      insert into users (${columns}) overriding system value select ${columns} from first_superuser;
      insert into unrecorded select 'user', id from users;
      commit`)
  } finally {
    await client.end()
  }
}

/** Removes the waiting jobs, and waits for those that run. */
async function endJobs(client: Client) {
  for (const end = Date.now() + JOBS_END_MS; Date.now() < end; await wait(50)) {
    await client.query('delete from graphile_worker._private_jobs where locked_at is null')
    const { rowCount } = await client.query('select from graphile_worker._private_jobs')
    if (rowCount === 0) return
  }
  throw new Error('The jobs of the last spec do not end')
}
