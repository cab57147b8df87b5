import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import type { EvidenceRow } from './queries.ts'

/**
 * Measured facts of a file: dimensions in px, duration in seconds, pages. The budget plan uses them instead
 * of estimates.
 */
export interface MediaFacts {
  width: number | null
  height: number | null
  duration_seconds: number | null
  pages: number | null
  captured_at: Date | null
}

/** Metadata of the original; a conversion does not change them. */
export interface OriginalFacts extends MediaFacts {
  camera: string | null
  orientation: number | null
  has_location: boolean | null
}

/** A thumbnail at a local path of the worker, with what was measured while it was made. */
interface Picture extends Pick<EvidenceRow, 'sharpness' | 'perceptual_hash'> {
  path: string
}

/** Stores the facts of an original. */
export const noteFacts = (ctx: Ctx, evidence_id: number, facts: OriginalFacts) =>
  ctx.db.updateTable('evidence_files').set(columnsOf(facts)).where('id', '=', evidence_id).execute()

/**
 * Stores the thumbnail and its measurements. The facts, if given, are stored only while no conversion runs or
 * has finished: a conversion stores them itself, and later values describe its copy.
 */
export async function savePreview(
  ctx: Ctx,
  file: EvidenceRow,
  { path, sharpness, perceptual_hash }: Picture,
  facts?: OriginalFacts,
) {
  const preview_key = `${folderOf(file)}/preview`
  await ctx.storage.moveIn(preview_key, path)
  const seen = { preview_key, sharpness, perceptual_hash }
  if (facts) {
    const { numUpdatedRows } = await ctx.db
      .updateTable('evidence_files')
      .set({ ...columnsOf(facts), ...seen })
      .where('id', '=', file.id)
      .where('lease_until', 'is', null)
      .where('converted_key', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return
  }
  await ctx.db.updateTable('evidence_files').set(seen).where('id', '=', file.id).execute()
}

/** The storage folder of an original and of everything generated from it. */
export const folderOf = ({ original_key }: EvidenceRow) =>
  original_key.slice(0, original_key.lastIndexOf('/'))

/**
 * Whether the original has been measured. The length of a converted video does not count: it is that of the
 * copy, which may have been cut.
 */
export function isMeasured(file: EvidenceRow) {
  if (file.file_type === 'image') return file.original_width !== null
  if (file.file_type === 'pdf') return file.pages !== null
  if (file.file_type === 'video') return file.duration_seconds !== null && file.converted_key === null
  return true
}

/** As the file says; of a photo of the app's own camera, whose file says nothing, as the app has said. */
export const capturedAt = (in_file: Date | null) =>
  sql<Date | null>`coalesce(${in_file}::timestamptz, app_captured_at)`

const columnsOf = (facts: OriginalFacts) => ({
  ...facts,
  captured_at: capturedAt(facts.captured_at),
  original_width: facts.width,
  original_height: facts.height,
})
