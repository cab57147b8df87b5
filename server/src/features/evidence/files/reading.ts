import { maskChassis } from '@garantia/shared/br/vehicle'
import {
  type FoundText,
  type Reading,
  type ReadingKind,
  type ReadVehicle,
  readingKindOf,
  readingOf,
  type StoredReading,
  type SuggestedCategory,
  searchedKinds,
  searchedTexts,
  storedReadingOf,
  suggestionOf,
} from '@garantia/shared/evidence/reading'
import { seesOrderWhole } from '@garantia/shared/orders/masking'
import type { OwnedOrder } from '@garantia/shared/policy'
import { type Ctx, enqueueAll } from '../../../kernel/context.ts'
import { type EvidenceRow, findFile } from './queries.ts'

/** Behind all conversions, whose priority is the place of a file in its order. */
const PRIORITY = 30_000
/** As often as a conversion: workers that are killed count. A photo that nothing can read fails none of them. */
const MAX_ATTEMPTS = 15

type Readable = Pick<EvidenceRow, 'file_type' | 'evidence_category' | 'rotation' | 'reading' | 'purged_at'>

/** What a photo has to be searched for; nothing when it was, or shows nothing that is read. */
function unreadKinds(file: Readable): readonly ReadingKind[] {
  if (file.file_type !== 'image' || file.purged_at) return []
  const stored = storedReadingOf(file.reading)
  const isRead = stored?.kind === readingKindOf(file.evidence_category) && stored.rotation === file.rotation
  return isRead ? [] : searchedKinds(file.evidence_category)
}

/** Queues those of the files that have to be read, one after the other; nothing where the house has it off. */
export async function enqueueReadings(ctx: Ctx, files: readonly (Readable & { id: number })[]) {
  if (!ctx.config.PHOTO_READING) return
  await enqueueAll(
    ctx,
    'read-evidence',
    files
      .filter((file) => unreadKinds(file).length > 0)
      .map(({ id, evidence_category }) => ({
        ...{ key: `read:${id}`, payload: { evidence_id: id }, queue: 'read-evidence' },
        // What somebody waits for to be compared goes first.
        ...{ priority: evidence_category ? PRIORITY : PRIORITY + 1, max_attempts: MAX_ATTEMPTS },
      })),
  )
}

/** A photo that has to be read, with the kinds of text; null when it is deleted or was read meanwhile. */
export async function photoToRead(ctx: Ctx, evidence_id: number) {
  if (!ctx.config.PHOTO_READING) return null
  const file = await findFile(ctx, evidence_id)
  const kinds = file ? unreadKinds(file) : []
  return file && kinds.length > 0 ? { ...file, kinds } : null
}

/** Stores what was read in the photo as it was turned then; a later turn or category asks for another reading. */
export async function saveReading(
  ctx: Ctx,
  { id, evidence_category, rotation }: NonNullable<Awaited<ReturnType<typeof photoToRead>>>,
  { found, engine }: { found: FoundText[]; engine: string },
) {
  const stored: StoredReading = { kind: readingKindOf(evidence_category), rotation, found, engine }
  await ctx.db
    .updateTable('evidence_files')
    .set({ reading: JSON.stringify(stored), reading_texts: searchedTexts(stored) })
    .where('id', '=', id)
    .execute()
}

/** What was read in a file's photo, beside its order; who sees its chassis number masked gets the read one so too. */
export function readingBeside(ctx: Ctx, file: EvidenceRow, order: ReadVehicle & OwnedOrder): Reading | null {
  if (!ctx.config.PHOTO_READING) return null
  const reading = readingOf(storedReadingOf(file.reading), file, order)
  if (reading?.kind !== 'vin' || reading.text === null || seesOrderWhole(ctx.actor, order)) return reading
  return { ...reading, text: maskChassis(reading.text) }
}

/** The category that a photo without one seems to have; a chassis number is masked for whom the order's is. */
export function suggestionBeside(ctx: Ctx, file: EvidenceRow, order: OwnedOrder): SuggestedCategory | null {
  if (!ctx.config.PHOTO_READING) return null
  const suggested = suggestionOf(storedReadingOf(file.reading), file)
  if (suggested?.kind !== 'vin' || seesOrderWhole(ctx.actor, order)) return suggested
  return { ...suggested, text: maskChassis(suggested.text) }
}
