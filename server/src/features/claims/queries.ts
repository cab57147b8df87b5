import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'

/** Converting files without a job that will still run. A moment of grace covers an enqueue under way. */
export async function findStranded(ctx: Ctx) {
  const { rows } = await sql<{ id: number; attempt: number }>`
    select e.id, e.attempt from evidence_files e
    where e.status = 'converting' and e.deleted_at is null and e.queued_at < now() - interval '15 seconds'
      and not exists (
        select 1 from graphile_worker.jobs j
        where j.key = 'convert:' || e.id and (j.locked_at is not null or j.attempts < j.max_attempts))`.execute(
    ctx.db,
  )
  return rows
}
