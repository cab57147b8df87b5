import { randomInt } from 'node:crypto'
import { hostname } from 'node:os'
import {
  applicationName,
  type Ctx,
  connectionOf,
  FROZEN_SECONDS,
  INSTANCE,
  WORKER_LOCK_CLASS,
} from '@garantia/server/kernel'
import type { Isolation } from '@garantia/shared/isolation'
import type { JobName } from '@garantia/shared/jobs'
import type { ToolVersions } from '@garantia/shared/tools'
import { sql } from 'kysely'
import pg from 'pg'

/** Well below the ten seconds within which a killed worker's files should be resumed. */
const REAP_EVERY_MS = 3_000
const BEAT_EVERY_MS = 5_000
const HIGHEST_KEY = 2_147_483_647

export interface Presence {
  /** Records an id under which this process locks jobs. */
  register(worker_id: string): Promise<void>
  /** Records what this process decodes with, and how isolated; false while it is not registered. */
  noteFacts(tools: ToolVersions, isolation: Isolation): Promise<boolean>
  stop(): Promise<void>
  /** Ends the watching, and the connection at once; what this process has locked is left to others. */
  abandon(): Promise<void>
}

/**
 * A queue row locked by a killed worker would stay locked for hours. So every worker takes an advisory lock
 * on a connection of its own and keeps it while it lives; a worker that can take another's lock knows that
 * its owner is gone, and unlocks its jobs. `onLost` is called when the connection ends: others may then take
 * this process's jobs, so it must stop at once.
 */
export async function announcePresence(
  ctx: Ctx,
  hooks: { onLost: (error: Error) => void; sweep: () => Promise<unknown> },
): Promise<Presence> {
  const client = new pg.Client(connectionOf(ctx.config.DATABASE_URL, 'worker'))
  let isStopping = false
  const lose = (error: Error) => {
    if (!isStopping) hooks.onLost(error)
  }
  client.on('error', lose)
  client.on('end', () => lose(new Error('presence connection ended')))
  await client.connect()
  const lock_key = randomInt(HIGHEST_KEY)
  await client.query('select pg_advisory_lock($1::int, $2::int)', [WORKER_LOCK_CLASS, lock_key])

  const beat = () =>
    client
      .query('update worker_processes set beat_at = now() where lock_key = $1', [lock_key])
      .catch((err: unknown) => ctx.log.warn({ err }, 'sinal de vida não gravado'))
  const heartbeat = setInterval(() => void beat(), BEAT_EVERY_MS)

  let round: Promise<unknown> = Promise.resolve()
  const reapAndSweep = async () => {
    try {
      await reap(client, lock_key)
      await hooks.sweep()
    } catch (err) {
      ctx.log.warn({ err }, 'varredura falhou')
    }
  }
  round = reapAndSweep()
  const timer = setInterval(() => {
    round = round.then(reapAndSweep)
  }, REAP_EVERY_MS)

  return {
    async register(worker_id) {
      await ctx.db
        .insertInto('worker_processes')
        .values({
          worker_id,
          lock_key,
          host: hostname(),
          pid: process.pid,
          instance: INSTANCE,
          beat_at: sql`now()`,
        })
        .onConflict((row) => row.doNothing())
        .execute()
    },
    async noteFacts(tools, isolation) {
      const { numUpdatedRows } = await ctx.db
        .updateTable('worker_processes')
        .set({ tools: JSON.stringify(tools), isolation })
        .where('lock_key', '=', lock_key)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async abandon() {
      isStopping = true
      clearInterval(timer)
      clearInterval(heartbeat)
      await round
      await client.end().catch(() => undefined)
    },
    async stop() {
      clearInterval(timer)
      clearInterval(heartbeat)
      await round
      isStopping = true
      await ctx.db.deleteFrom('worker_processes').where('lock_key', '=', lock_key).execute()
      await client.end()
    },
  }
}

/**
 * Unlocks the jobs of workers whose advisory lock is free, and jobs locked under an unrecorded id: every worker
 * records its id before it takes a job, so that one is of a worker whose last query outlived it.
 */
async function reap(client: pg.Client, own_key: number) {
  await endFrozen(client, own_key)
  const { rows } = await client.query<{ lock_key: string; ids: string[] }>(
    'select lock_key, array_agg(worker_id) as ids from worker_processes where lock_key <> $1 group by 1',
    [own_key],
  )
  for (const { lock_key, ids } of rows) {
    const { rows: attempt } = await client.query<{ free: boolean }>(
      'select pg_try_advisory_lock($1::int, $2::int) as free',
      [WORKER_LOCK_CLASS, lock_key],
    )
    if (!attempt[0]?.free) continue
    await client.query('select graphile_worker.force_unlock_workers($1::text[])', [ids])
    await client.query('delete from worker_processes where lock_key = $1', [lock_key])
    await client.query('select pg_advisory_unlock($1::int, $2::int)', [WORKER_LOCK_CLASS, lock_key])
  }
  await client.query(`select graphile_worker.force_unlock_workers(array_agg(locked_by)) from graphile_worker.jobs
    where locked_by not in (select worker_id from worker_processes) having count(*) > 0`)
}

/**
 * Ends the connections of workers that have not said for half a minute that they live: a process that is frozen, or
 * whose network is cut, would keep its lock and its transactions. When it goes on, it finds them gone and starts anew.
 */
async function endFrozen(client: pg.Client, own_key: number) {
  const { rows } = await client.query<{ instance: string; lock_key: string }>(
    `select distinct instance, lock_key from worker_processes
      where lock_key <> $1 and instance is not null and beat_at < now() - make_interval(secs => $2)`,
    [own_key, FROZEN_SECONDS],
  )
  for (const { instance, lock_key } of rows)
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and (application_name = $1
        or pid in (select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 2
          and classid::bigint = $2 and objid::bigint = $3))`,
      [applicationName('worker', instance), WORKER_LOCK_CLASS, lock_key],
    )
}

/** Somebody waits for these on a screen. */
const AWAITED: JobName[] = [
  'convert-evidence',
  'build-dossier',
  'read-order-import',
  'import-orders',
  'read-remittance',
  'book-remittance',
]

/**
 * Brings the next attempt of a failed job that somebody waits for to a minute from now: graphile-worker's delay
 * grows with the attempts, also with those that a killed worker left behind, to six hours.
 */
export async function limitRetryDelay(ctx: Ctx) {
  await sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now() + interval '1 minute')
    from graphile_worker.jobs
    where task_identifier = any(${AWAITED}) and locked_at is null and attempts between 1 and max_attempts - 1
      and run_at > now() + interval '1 minute' having count(*) > 0`.execute(ctx.db)
}

/** Puts jobs interrupted by a stop back into the queue, to run at once, without counting the attempt. */
export async function requeueInterruptedJobs(ctx: Ctx, job_ids: readonly string[]) {
  for (const id of job_ids)
    await sql`select graphile_worker.reschedule_jobs(array[j.id], run_at => now(), attempts => greatest(0, j.attempts - 1))
      from graphile_worker.jobs j where j.id = ${id}::bigint and j.locked_at is null`.execute(ctx.db)
}
