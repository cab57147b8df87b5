import type { Ctx } from '../../../kernel/context.ts'
import type { EvidenceRow } from './queries.ts'

/** Facts a look into the file brought: a plan with real lengths shares better than one with guesses. */
export interface MediaFacts {
  width: number | null
  height: number | null
  duration_seconds: number | null
  pages: number | null
  captured_at: Date | null
}

/** What the original says of itself; a conversion does not change that. */
export interface OriginalFacts extends MediaFacts {
  camera: string | null
  orientation: number | null
  has_location: boolean | null
}

/** A thumbnail in a file of the worker's, and what was seen while it was made. */
interface Picture extends Pick<EvidenceRow, 'sharpness' | 'perceptual_hash'> {
  path: string
}

export const noteFacts = (ctx: Ctx, evidence_id: number, facts: OriginalFacts) =>
  update(ctx, evidence_id, columnsOf(facts)).execute()

/**
 * Keeps the thumbnail a worker made, with what it saw. The facts, if given, are noted of a file that nobody
 * converts or has converted: a conversion notes them itself, and what it writes after them is its copy's.
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
    const { numUpdatedRows } = await update(ctx, file.id, { ...columnsOf(facts), ...seen })
      .where('lease_until', 'is', null)
      .where('converted_key', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return
  }
  await update(ctx, file.id, seen).execute()
}

/** Everything made of one original lies in its folder. */
export const folderOf = ({ original_key }: EvidenceRow) =>
  original_key.slice(0, original_key.lastIndexOf('/'))

/** Whether the original was looked into. A film's length is its copy's once there is one, which may be cut. */
export function isMeasured(file: EvidenceRow) {
  if (file.file_type === 'image') return file.original_width !== null
  if (file.file_type === 'pdf') return file.pages !== null
  if (file.file_type === 'video') return file.duration_seconds !== null && file.converted_key === null
  return true
}

const columnsOf = (facts: OriginalFacts) => ({
  ...facts,
  original_width: facts.width,
  original_height: facts.height,
})

const update = (ctx: Ctx, evidence_id: number, columns: Partial<EvidenceRow>) =>
  ctx.db.updateTable('evidence_files').set(columns).where('id', '=', evidence_id)
