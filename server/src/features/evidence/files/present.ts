import { storedMarksOf } from '@garantia/shared/evidence/marks'
import type { ReadVehicle } from '@garantia/shared/evidence/reading'
import type { EvidenceFile, Rotation } from '@garantia/shared/evidence/schema'
import type { OwnedOrder } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { sign } from '../../../kernel/signing.ts'
import type { EvidenceRow } from './queries.ts'
import { readingBeside, suggestionBeside } from './reading.ts'

/** Subject of a thumbnail's signature. */
export const previewSubject = (id: number) => `preview/${id}`

export const FILE_VARIANTS = ['original', 'converted'] as const
export type FileVariant = (typeof FILE_VARIANTS)[number]
/**
 * Subject of a file's signature. It includes the hash, so that an address expires when the copy is replaced.
 */
export const mediaSubject = (row: EvidenceRow, copy: FileVariant) =>
  `${copy}/${row.id}/${copy === 'original' ? row.sha256 : row.converted_sha256}`

const mediaUrl = (ctx: Ctx, row: EvidenceRow, copy: FileVariant) =>
  `/media/${row.id}/${copy}/${sign(ctx.config.SIGNING_KEY, mediaSubject(row, copy), ctx.actor, ctx.clock())}`

/** A file of this order (null where it was not read yet for certain) as it is sent to clients, with signed addresses of its thumbnail and its copies. */
export const presentFile = (
  ctx: Ctx,
  row: EvidenceRow,
  order: (ReadVehicle & OwnedOrder) | null,
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
  rotation: row.rotation as Rotation,
  marks: storedMarksOf(row.marks),
  reading: order && readingBeside(ctx, row, order),
  suggested_category: order && suggestionBeside(ctx, row, order),
  thumbnail_url:
    row.preview_key &&
    `/media/${row.id}/preview/${sign(ctx.config.SIGNING_KEY, previewSubject(row.id), ctx.actor, ctx.clock())}`,
  original_url: row.purged_at ? null : mediaUrl(ctx, row, 'original'),
  converted_url: row.purged_at || row.status !== 'converted' ? null : mediaUrl(ctx, row, 'converted'),
})
