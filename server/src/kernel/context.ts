import type { DB } from '@garantia/migrations/schema'
import { JOBS, type JobName, type JobPayload } from '@garantia/shared/jobs'
import type { Actor } from '@garantia/shared/policy'
import { type Kysely, sql } from 'kysely'
import type { AdvisoryLocks } from './advisory-locks.ts'
import type { Config } from './config.ts'
import type { Logger } from './log.ts'
import type { Scratch } from './scratch.ts'
import type { Sessions } from './sessions.ts'
import type { PartialFiles } from './storage/partial-files.ts'
import type { Storage } from './storage/storage.ts'

/** Everything a use case may touch. Built once per process; `actor` and `log` are narrowed per request or job. */
export interface Ctx {
  db: Kysely<DB>
  storage: Storage
  partialFiles: PartialFiles
  advisoryLocks: AdvisoryLocks
  sessions: Sessions
  scratch: Scratch
  config: Config
  clock: () => Date
  log: Logger
  actor: Actor
}

/** Runs the work in a transaction, joining one that is already open. */
export const inTransaction = <T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  ctx.db.isTransaction ? work(ctx) : ctx.db.transaction().execute((db) => work({ ...ctx, db }))

/** A killed worker costs its jobs a try each, through no fault of theirs. */
const MANY_TRIES = 15

interface Enqueueing {
  /** The same key twice is one job. */
  key: string
  /** Lower runs first. */
  priority?: number
  max_attempts?: number
}
/** Enqueued on the caller's connection: the job exists if, and only if, the change commits. */
export async function enqueue<N extends JobName>(
  ctx: Ctx,
  name: N,
  payload: JobPayload<N>,
  options: Enqueueing,
) {
  await enqueueAll(ctx, name, [{ payload, ...options }])
}
/** Many of one kind, in one statement. */
export async function enqueueAll<N extends JobName>(
  ctx: Ctx,
  name: N,
  jobs: readonly (Enqueueing & { payload: JobPayload<N> })[],
) {
  if (jobs.length === 0) return
  const list = jobs.map(({ payload, ...job }) => ({ ...job, payload: JOBS[name].parse(payload) }))
  await sql`select graphile_worker.add_job(${name}, payload, job_key => key,
    priority => coalesce(priority, 0), max_attempts => coalesce(max_attempts, ${MANY_TRIES}::int))
    from json_to_recordset(${JSON.stringify(list)}::json)
      as job(key text, payload json, priority int, max_attempts int)`.execute(ctx.db)
}
/** Keeps a job that has not started from starting before then. */
export async function postpone(ctx: Ctx, key: string, until: Date) {
  await sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => ${until})
    from graphile_worker.jobs where key = ${key}`.execute(ctx.db)
}
/** Takes a job that has not started out of the queue. */
export async function withdraw(ctx: Ctx, key: string) {
  await sql`select graphile_worker.remove_job(${key})`.execute(ctx.db)
}
