import type { Ctx } from '../../../kernel/context.ts'
import { isStranded } from '../../../kernel/stranded.ts'

/** Converting files whose job is gone for good. */
export const findStranded = (ctx: Ctx) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('status', '=', 'converting')
    .where('deleted_at', 'is', null)
    .where(isStranded({ id: 'evidence_files.id', key: 'convert:', since: 'evidence_files.queued_at' }))
    .select(['id', 'attempt'])
    .execute()

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
