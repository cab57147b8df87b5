import type { Ctx } from '@garantia/server/kernel'
import { JOBS, type JobName, type JobPayload } from '@garantia/shared/jobs'
import { inSpanOf, type TraceCarrier } from '@garantia/shared/tracing'
import type { Task, TaskList } from 'graphile-worker'

interface Run {
  /** Aborted when the worker stops; an unfinished job runs again. */
  signal: AbortSignal
  /** Attempts so far, this one included; a killed worker's count. */
  attempts: number
  /** No further attempt follows: a failure must be recorded where users see it. */
  lastTry: boolean
}
export type Job<N extends JobName> = (ctx: Ctx, payload: JobPayload<N>, run: Run) => Promise<void>
export type Jobs = { [N in JobName]: Job<N> }

/** The jobs that decode files, in processes of their own. */
export const MEDIA_JOBS = [
  'convert-evidence',
  'preview-evidence',
  'read-evidence',
  'read-vehicle-photo',
  'build-dossier',
  'read-order-import',
  'read-remittance',
] as const satisfies JobName[]

/**
 * The named jobs, each of which has a handler, or this does not compile. A job that ends after
 * this process has lost its jobs to others is a failed one: graphile-worker removes a job that succeeded whoever has it
 * locked by then, but lets only the owner of the lock fail it.
 */
export const taskList = (
  ctx: Ctx,
  jobs: Jobs,
  names: readonly JobName[],
  hasLostJobs: () => boolean,
): TaskList =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (async (payload, { job, abortSignal }) => {
        // Payloads are ids alone: of an order, a file, a dossier.
        const ids = JOBS[name].parse(payload)
        const run = { signal: abortSignal, attempts: job.attempts, lastTry: job.attempts >= job.max_attempts }
        await inSpanOf(payload as TraceCarrier, name, { ...ids, job_id: job.id, attempt: job.attempts }, () =>
          (jobs[name] as Job<JobName>)(
            { ...ctx, log: ctx.log.child({ job: name, job_id: job.id, ...ids }) },
            ids,
            run,
          ),
        )
        if (hasLostJobs()) throw new Error('outro worker pode ter este trabalho')
      }) satisfies Task,
    ]),
  )
