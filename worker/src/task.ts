import type { Ctx } from '@garantia/server/kernel'
import { JOBS, type JobName, type JobPayload } from '@garantia/shared/jobs'
import type { Task, TaskList } from 'graphile-worker'

interface Run {
  /** Aborted when the worker must go: leave what you do, it will be done again. */
  signal: AbortSignal
  /** Nobody tries again after this one: write the visible failure. */
  lastTry: boolean
}
export type Job<N extends JobName> = (ctx: Ctx, payload: JobPayload<N>, run: Run) => Promise<void>
export type Jobs = { [N in JobName]: Job<N> }

/** Forgetting to answer a job name is a compile error here, not a stuck queue in production. */
export const taskList = (ctx: Ctx, jobs: Jobs): TaskList =>
  Object.fromEntries(
    (Object.keys(jobs) as JobName[]).map((name) => [
      name,
      (async (payload, { job, abortSignal }) =>
        (jobs[name] as Job<JobName>)(
          { ...ctx, log: ctx.log.child({ job: name, job_id: job.id }) },
          JOBS[name].parse(payload),
          { signal: abortSignal, lastTry: job.attempts >= job.max_attempts },
        )) satisfies Task,
    ]),
  )
