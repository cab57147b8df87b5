import { JOBS, type JobName, type JobPayload } from '@garantia/shared/jobs'
import type { Actor } from '@garantia/shared/policy'
import { carrierOfTrace } from '@garantia/shared/tracing'
import { sql } from 'kysely'
import type { ActivePeople } from './active-people.ts'
import type { AdvisoryLocks } from './advisory-locks.ts'
import type { InBatches } from './batches.ts'
import type { Config } from './config.ts'
import type { Logger } from './log.ts'
import { isNameRefused } from './named-statements.ts'
import type { Origin } from './origin.ts'
import type { Scratch } from './scratch.ts'
import type { SecurityLog } from './security-log.ts'
import type { Sessions } from './sessions.ts'
import type { PartialFiles } from './storage/partial-files.ts'
import type { Storage } from './storage/storage.ts'
import type { Db } from './strict-writes.ts'

/**
 * The dependencies of a use case. Built once per process; `actor` and `log` are replaced per request or job.
 */
export interface Ctx {
  db: Db
  storage: Storage
  partialFiles: PartialFiles
  advisoryLocks: AdvisoryLocks
  sessions: Sessions
  activePeople: ActivePeople
  scratch: Scratch
  inBatches: InBatches
  config: Config
  securityLog: SecurityLog
  clock: () => Date
  log: Logger
  actor: Actor
  /** Address and browser of the caller; none in jobs and commands. */
  origin?: Origin
  /** Whether the caller has closed the connection, so that nobody reads the answer; none in jobs and commands. */
  isGone?: () => boolean
}

/**
 * Runs the work in a transaction and commits it; rolls back when the work throws. Joins a transaction that is
 * already open. Work is run again when a migration of another server has outdated a plan in its middle.
 */
export async function inTransaction<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  return repeated(() => ctx.db.transaction().execute((db) => work({ ...ctx, db })))
}

/** Runs statements that only read, all of one moment. */
export const inSnapshot = <T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  repeated(() =>
    ctx.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((db) => work({ ...ctx, db })),
  )

async function repeated<T>(run: () => Promise<T>) {
  try {
    return await run()
  } catch (error) {
    if (isNameRefused(error)) return run()
    throw error
  }
}

/** Each kill of a worker uses up one attempt of every job it was running, so the default is high. */
const MANY_TRIES = 15

interface Enqueueing {
  /** A job with a key that is already queued replaces the queued one. */
  key: string
  /** Jobs with a lower number run first. */
  priority?: number
  max_attempts?: number
  /** Jobs of one queue run one after the other, on all workers together. */
  queue?: string
}
/**
 * Queues a job on the caller's connection: it exists if, and only if, the caller's transaction commits.
 * Throws when the payload does not fit the job's schema.
 */
export async function enqueue<N extends JobName>(
  ctx: Ctx,
  name: N,
  payload: JobPayload<N>,
  options: Enqueueing,
) {
  await enqueueAll(ctx, name, [{ payload, ...options }])
}
/** Queues many jobs of one kind in one statement, otherwise as `enqueue`. */
export async function enqueueAll<N extends JobName>(
  ctx: Ctx,
  name: N,
  jobs: readonly (Enqueueing & { payload: JobPayload<N> })[],
) {
  if (jobs.length === 0) return
  const carrier = carrierOfTrace()
  const list = jobs.map(({ payload, ...job }) => ({
    ...job,
    payload: { ...JOBS[name].parse(payload), ...carrier },
  }))
  await sql`select graphile_worker.add_job(${name}, payload, job_key => key,
    priority => coalesce(priority, 0), max_attempts => coalesce(max_attempts, ${MANY_TRIES}::int),
    queue_name => queue)
    from json_to_recordset(${JSON.stringify(list)}::json)
      as job(key text, payload json, priority int, max_attempts int, queue text)`.execute(ctx.db)
}
/** Postpones a job that has not started until `until`; does nothing when there is no job of this key. */
export async function postponeJob(ctx: Ctx, key: string, until: Date) {
  await sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => ${until})
    from graphile_worker.jobs where key = ${key}`.execute(ctx.db)
}
/** Removes a job that has not started from the queue. */
export async function removeJob(ctx: Ctx, key: string) {
  await sql`select graphile_worker.remove_job(${key})`.execute(ctx.db)
}
