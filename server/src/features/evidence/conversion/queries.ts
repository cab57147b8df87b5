import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

export interface QueuedJob {
  job_id: number
  task: string
  evidence_id: number | null
  attempts: number
  max_attempts: number
  running: boolean
  run_at: string
  last_error: string | null
}

/** The job queue for operators, at most `limit` jobs: running ones first, then in the order they will run.
 * `run_at` is ISO 8601 in UTC. */
export async function queuedJobs(ctx: Ctx, limit: number): Promise<QueuedJob[]> {
  const { rows } = await sql<Omit<QueuedJob, 'run_at'> & { run_at: Date }>`
    select id as job_id, task_identifier as task, case when task_identifier in ('convert-evidence', 'preview-evidence')
        then nullif(split_part(key, ':', 2), '')::bigint end as evidence_id,
      attempts, max_attempts, locked_at is not null as running, run_at, last_error
    from graphile_worker.jobs
    order by locked_at is null, priority, run_at, id limit ${sql.lit(limit)}`.execute(ctx.db)
  return rows.map((row) => ({ ...row, run_at: row.run_at.toISOString() }))
}

/** A query for the files that `repetir` queues again: failed ones of open orders. */
export const failedFiles = (ctx: Ctx) =>
  ctx.db
    .selectFrom('evidence_files')
    .innerJoin('service_orders', 'service_orders.id', 'evidence_files.order_id')
    .where('evidence_files.status', '=', 'failed')
    .where('evidence_files.deleted_at', 'is', null)
    .where('service_orders.deleted_at', 'is', null)
    .where('service_orders.status', 'not in', ['completed', 'cancelled'])
