import type { DB } from '@garantia/migrations/schema'
import { JOBS, type JobName, type JobPayload } from '@garantia/shared/jobs'
import type { Actor } from '@garantia/shared/policy'
import { type Kysely, sql } from 'kysely'
import type { Config } from './config.ts'
import type { Holds } from './holds.ts'
import type { Logger } from './log.ts'
import type { Scratch } from './scratch.ts'
import type { Sessions } from './sessions.ts'
import type { Parts } from './storage/parts.ts'
import type { Storage } from './storage/storage.ts'

/** Everything a use case may touch. Built once per process; `actor` and `log` are narrowed per request or job. */
export interface Ctx {
  db: Kysely<DB>
  storage: Storage
  parts: Parts
  holds: Holds
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
  const { key, ...rest } = options
  await enqueueAll(ctx, name, [{ key, payload }], rest)
}
/** Many of one kind, in one statement. */
export async function enqueueAll<N extends JobName>(
  ctx: Ctx,
  name: N,
  jobs: readonly { key: string; payload: JobPayload<N> }[],
  options: Omit<Enqueueing, 'key'> = {},
) {
  if (jobs.length === 0) return
  const list = JSON.stringify(jobs.map(({ key, payload }) => ({ key, payload: JOBS[name].parse(payload) })))
  await sql`select graphile_worker.add_job(${name}, payload, job_key => key,
    priority => ${options.priority ?? 0}::int, max_attempts => ${options.max_attempts ?? MANY_TRIES}::int)
    from json_to_recordset(${list}::json) as job(key text, payload json)`.execute(ctx.db)
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
