import { type ChildProcess, fork } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Kernel, openKernel, openLog, readConfig } from '@garantia/server/kernel'
import { type RunningPostgres, startPostgres } from '@garantia/server/postgres'
import pg from 'pg'
import { makers } from '../support/make.ts'
import { asAdmin } from '../support/postgres.ts'
import { isQuick, options } from './options.ts'

export const MB = 1_000_000

/** One database with what works on it. */
export interface DatabaseContext {
  kernel: Kernel
  make: ReturnType<typeof makers>
  /** A pool of plain connections. */
  pool(connections: number): pg.Pool
  /** A child process of the repository that reports «ready», as the server does. */
  start(program: string, environment?: Record<string, string>): Promise<Child>
  /** Ends the connections of the kernel. */
  close(): Promise<void>
}
export interface BenchContext extends DatabaseContext {
  /** An empty folder on the measured disk; removed afterwards. */
  dir: string
  postgres: RunningPostgres
  /** Another database of the same PostgreSQL. */
  onDatabase(url: string): Promise<DatabaseContext>
  /** Runs a statement as the superuser. */
  asAdmin(sql: string): Promise<void>
}

/**
 * Starts PostgreSQL, runs the work, and ends and removes everything, whatever happens. `cluster` is the folder
 * of a PostgreSQL that is kept for the next run; without it, it is thrown away.
 */
export async function bench(
  title: string,
  work: (benchContext: BenchContext) => Promise<void>,
  { cluster }: { cluster?: string } = {},
) {
  const cleanups: (() => Promise<unknown>)[] = []
  let cleaning: Promise<void> | undefined
  const clean = () => {
    cleaning ??= (async () => {
      for (const cleanup of cleanups.reverse())
        await cleanup().catch((error: unknown) => console.error(error))
    })()
    return cleaning
  }
  const exitOnSignal = (signal: string) => {
    console.error(`${title}: ${signal}`)
    void clean().finally(() => process.exit(130))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, exitOnSignal)
  try {
    const dir = await mkdtemp(join(tmpdir(), 'garantia-bench-'))
    cleanups.push(() => rm(dir, { recursive: true, force: true }))
    // Under root another account runs PostgreSQL and must traverse the folder.
    await chmod(dir, 0o755)
    const postgres = await startPostgres({ dir: cluster ?? join(dir, 'postgres') })
    cleanups.push(() => postgres.stop())
    const onDatabase = (url: string) => openDatabase({ url, dir, cleanups })
    console.log(`\n${title}${isQuick ? ' (quick)' : ''}, ${machine()}`)
    await work({
      ...{ dir, postgres, onDatabase, asAdmin: (sql) => asAdmin(postgres.admin_url, sql) },
      ...(await onDatabase(postgres.owner_url)),
    })
    console.log(`${load()} at the end`)
  } finally {
    await clean()
    process.off('SIGINT', exitOnSignal).off('SIGTERM', exitOnSignal)
  }
}

async function openDatabase({
  url,
  dir,
  cleanups,
}: {
  url: string
  dir: string
  cleanups: (() => Promise<unknown>)[]
}): Promise<DatabaseContext> {
  const keys = { SIGNING_KEY: '5e'.repeat(32), DOSSIER_KEY: 'd0'.repeat(32) }
  const environment = { DATABASE_URL: url, DATA_DIR: join(dir, 'data'), ...keys }
  const kernel = await openKernel(readConfig(environment), openLog('error', 'bench', process.stderr), {
    connections: 8,
  })
  let closing: Promise<void> | undefined
  // An aborted worker keeps a connection, which ends only with PostgreSQL.
  const close = () => {
    closing ??= Promise.race([kernel.close(), sleep(CLOSE_TIMEOUT_MS)])
    return closing
  }
  cleanups.push(close)
  return {
    kernel,
    close,
    make: makers(kernel.ctx, kernel.ctx, 'nobody signs in'),
    async start(program, extra = {}) {
      const child = await startChild(program, { ...environment, PORT: '0', ...extra })
      cleanups.push(child.stop)
      return child
    },
    pool(max) {
      const opened = new pg.Pool({ connectionString: url, max })
      // Connections end with PostgreSQL, in the middle of a query too.
      opened.on('error', () => undefined)
      opened.on('connect', (client) => client.on('error', () => undefined))
      return opened
    },
  }
}

const CLOSE_TIMEOUT_MS = 3_000

const machine = () =>
  `${availableParallelism()} × ${cpus()[0]?.model ?? process.arch}, ${Math.round(totalmem() / 1e9)} GB, ${process.platform}, Node ${process.version}, ${load()}`
const load = () => `load ${loadavg()[0]?.toFixed(1)}`

export interface Usage {
  cpu_ms: number
  rss: number
  /** Highest resident size since the last reset, sampled every few milliseconds. */
  peak: number
}
export interface Child {
  url: string
  usage(): Promise<Usage>
  resetPeak(): Promise<void>
  stop(): Promise<void>
}

export const SERVER = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
export const reference = (name: string) => fileURLToPath(new URL(`./reference/${name}.ts`, import.meta.url))
const PROBE = new URL('./probe.ts', import.meta.url).href
const STOP_MS = 10_000
const profiling = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : []

async function startChild(program: string, environment: Record<string, string>): Promise<Child> {
  const child = fork(program, {
    env: { PATH: process.env.PATH ?? '', ...environment },
    execArgv: ['--import', PROBE, ...profiling],
    // Log lines are written and formatted as in production, and discarded.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const { url } = await message<{ url: string }>(child, 'ready')
  const ask = (question: 'usage' | 'reset') => {
    const answer = message<Usage>(child, 'usage')
    child.send(question)
    return answer
  }
  return {
    url,
    usage: () => ask('usage'),
    resetPeak: async () => void (await ask('reset')),
    async stop() {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      child.kill('SIGTERM')
      await ended
      clearTimeout(timer)
    },
  }
}

const message = <T>(child: ChildProcess, type: string) =>
  new Promise<T>((resolve, reject) => {
    const gone = () => reject(new Error('the child process ended'))
    const listen = (received: unknown) => {
      if ((received as { type?: string }).type !== type) return
      child.off('message', listen).off('exit', gone)
      resolve(received as T)
    }
    child.on('message', listen).once('exit', gone)
  })

export function shuffled<T>(list: readonly T[]): T[] {
  const copy = [...list]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[copy[i], copy[j]] = [copy[j] as T, copy[i] as T]
  }
  return copy
}

export const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? Number.NaN
export const median = (values: readonly number[]) => quantile(values, 0.5)

/** Milliseconds the work took. */
export async function timed(work: () => Promise<unknown>) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Every arm once per round, in random order: drift affects all of them alike. */
export async function rounds<A extends string>(
  count: number,
  arms: Record<A, (round: number) => Promise<number>>,
): Promise<Record<A, number[]>> {
  const names = Object.keys(arms) as A[]
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<A, number[]>
  for (let round = 0; round < count; round++)
    for (const name of shuffled(names)) samples[name].push(await arms[name](round))
  return samples
}

type Cell = string | number | null
/** One aligned table; the digits of a number depend on its size. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]) {
  const text = [heads, ...rows].map((row) => row.map(shown))
  const widths = heads.map((_, column) => Math.max(...text.map((row) => row[column]?.length ?? 0)))
  const isNumeric = heads.map((_, column) => rows.some((row) => typeof row[column] === 'number'))
  const line = (row: string[]) =>
    row
      .map((cell, i) => (isNumeric[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
  const [head = [], ...body] = text
  console.log(
    ['', line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...body.map(line)].join('\n'),
  )
}
const shown = (cell: Cell) =>
  cell === null ? '–' : typeof cell === 'string' ? cell : cell.toFixed(cell >= 100 ? 0 : cell >= 10 ? 1 : 2)

/** Progress of long work, on stderr. */
export const note = (text: string) => process.stderr.write(`  … ${text}\n`)
