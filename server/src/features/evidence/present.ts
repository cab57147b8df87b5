import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import type { Ctx } from '../../kernel/context.ts'
import { sign } from '../../kernel/signing.ts'
import type { EvidenceRow } from './queries.ts'

/** Subject of a thumbnail's signature. */
export const previewSubject = (id: number) => `preview/${id}`

export const presentFile = (
  ctx: Ctx,
  row: EvidenceRow,
  queue_position: number | null = null,
): EvidenceFile => ({
  id: row.id,
  order_id: row.order_id,
  file_type: row.file_type,
  status: row.status,
  original_filename: row.original_filename,
  converted_filename: row.status === 'converted' ? row.converted_filename : null,
  file_size: row.file_size,
  converted_size: row.status === 'converted' ? row.converted_size : null,
  evidence_category: row.evidence_category,
  description: row.description,
  progress: row.progress,
  queue_position,
  error: row.status === 'failed' ? row.error : null,
  sha256: row.sha256,
  uploaded_at: row.uploaded_at.toISOString(),
  uploaded_by: row.uploaded_by,
  width: row.width,
  height: row.height,
  duration_seconds: row.duration_seconds,
  pages: row.pages,
  thumbnail_url:
    row.preview_key &&
    `/media/${row.id}/preview/${sign(ctx.config.SIGNING_KEY, previewSubject(row.id), ctx.clock())}`,
})
