import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

/**
 * Converting files without a job that will still run. The first 15 seconds are exempt, for a request that is
 * not committed yet.
 */
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

/** Other videos of the leased file's order that still need a share and whose length is unknown. */
export const findUnmeasured = (ctx: Ctx, order_id: number, leasedFileId: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('id', '<>', leasedFileId)
    .where('file_type', '=', 'video')
    .where('duration_seconds', 'is', null)
    .where('status', 'in', ['pending', 'converting'])
    .where('deleted_at', 'is', null)
    .select(['id', 'original_key', 'format', 'file_size'])
    .execute()

/** Files that are neither deleted nor failed, with the columns the budget plan needs. */
export const findPlanned = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('status', '<>', 'failed')
    .where('deleted_at', 'is', null)
    .select([
      'id',
      'file_type',
      'format',
      'file_size',
      'status',
      'purged_at',
      'is_over_compressed',
      'is_reencode_pass',
    ])
    .select(['original_width', 'original_height', 'width', 'height', 'duration_seconds', 'pages'])
    .select(['budget_bytes', 'converted_size'])
    .execute()
export type PlannedRow = Awaited<ReturnType<typeof findPlanned>>[number]
