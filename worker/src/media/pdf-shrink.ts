import type { PDFDocument } from '@cantoo/pdf-lib'
import { type Photo, photosOf, type RecompressedPhoto, recompressPhoto, replace } from './pdf-photos.ts'

interface Try {
  compression: number
  photos: RecompressedPhoto[]
  size: number
}
export interface Shrunk {
  /** Null when even the smallest is too large. */
  bytes: Uint8Array | null
  /** Bytes of the smallest version tried. */
  smallest: number
  /** Photos were compressed for the budget. */
  is_over_compressed: boolean
}

/**
 * Re-encoding a page takes up to two seconds, so the compression is first estimated on the largest few
 * photos.
 */
const SAMPLE = 4
const LOOKS = 5
const TRIES = 4
/**
 * A result that uses this share of the budget is accepted; AIM leaves a margin for an unrepresentative
 * sample.
 */
const WELL_USED = 0.8
const AIM = 0.94
/** Bytes by which a picture's dictionary may grow when its numbers change. */
const PER_PHOTO = 64

/**
 * Rewrites a PDF within `budget` bytes, its photos compressed no more than needed; everything else stays as
 * it is. Every attempt starts from the original photos, so that losses do not add up. `onPercent` gets 0–100.
 */
export async function shrinkPdf(
  pdf: PDFDocument,
  budget: number,
  onPercent: (percent: number) => void,
): Promise<Shrunk> {
  const untouched = await saved(pdf)
  if (untouched.length <= budget)
    return { bytes: untouched, smallest: untouched.length, is_over_compressed: false }
  const photos = photosOf(pdf)
  const heavy = photos.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const rest = untouched.length - heavy + photos.length * PER_PHOTO
  const sample = photos.toSorted((a, b) => b.bytes.length - a.bytes.length).slice(0, SAMPLE)
  const sampled = sample.reduce((sum, { bytes }) => sum + bytes.length, 0)

  /** With few photos the sample is all of them, and its attempts are reused. */
  const known = new Map<number, Try>()
  const expected = async (compression: number) => {
    const part = await attempt(sample, compression, 0, () => undefined)
    if (sample.length === photos.length) known.set(compression, { ...part, size: rest + part.size })
    return { compression, size: rest + (heavy * part.size) / Math.max(1, sampled) }
  }
  let tries = 0
  const tryAll = async (compression: number) => {
    const part = 80 / TRIES
    const made =
      known.get(compression) ??
      (await attempt(photos, compression, rest, (done) => onPercent(15 + part * (tries + done))))
    tries++
    return made
  }

  let { next, over } = await findLeastCompression(await expected(0), () => expected(1), budget, expected)
  onPercent(15)
  let fits: Try | null = null
  while (tries < TRIES) {
    const made = await tryAll(tries === TRIES - 1 && !fits ? 1 : next)
    if (made.size <= budget) fits = made
    if (made.size > budget && made.compression === 1)
      return { bytes: null, smallest: made.size, is_over_compressed: true }
    if (made.size > budget) over = Math.max(over, made.compression)
    if (fits && (fits.compression === 0 || fits.size >= WELL_USED * budget || fits.compression - over < 0.05))
      break
    next = fits
      ? (over + fits.compression) / 2
      : Math.min(1, made.compression + 0.08 + 0.3 * Math.log(made.size / budget))
  }
  if (!fits) return { bytes: null, smallest: untouched.length, is_over_compressed: true }
  const chosen = fits.compression === 0 ? restoreOriginals(photos, fits, budget) : fits
  for (const [index, photo] of photos.entries()) {
    const smaller = chosen.photos[index]
    if (smaller) replace(pdf, photo, smaller)
  }
  const bytes = await saved(pdf)
  return { bytes: bytes.length <= budget ? bytes : null, smallest: bytes.length, is_over_compressed: true }
}

async function attempt(
  photos: readonly Photo[],
  compression: number,
  rest: number,
  onPart: (done: number) => void,
): Promise<Try> {
  const made: RecompressedPhoto[] = []
  let size = rest
  for (const photo of photos) {
    const smaller = await recompressPhoto(photo, compression)
    made.push(smaller)
    size += smaller?.data.length ?? photo.bytes.length
    onPart(made.length / photos.length)
  }
  return { compression, photos: made, size }
}

interface Guess {
  compression: number
  size: number
}
/**
 * The least compression estimated to fit, and the greatest estimated not to. The logarithm of the bytes falls
 * about linearly with the compression.
 */
async function findLeastCompression(
  none: Guess,
  hardest: () => Promise<Guess>,
  budget: number,
  expected: (compression: number) => Promise<Guess>,
) {
  const aim = AIM * budget
  if (none.size <= aim) return { next: 0, over: 0 }
  let [low, fits] = [none, await hardest()]
  if (fits.size > aim) return { next: 1, over: 0 }
  for (let looks = 2; looks < LOOKS && fits.size < WELL_USED * budget; looks++) {
    const goal = Math.log(low.size / (0.95 * aim)) / Math.log(low.size / fits.size)
    const next = await expected(low.compression + (fits.compression - low.compression) * clamped(goal))
    if (next.size <= aim) fits = next
    else low = next
  }
  return { next: fits.compression, over: low.compression }
}
const clamped = (part: number) => Math.min(0.85, Math.max(0.15, part))

/** Keeps as many photos unchanged as the budget allows. */
function restoreOriginals(photos: readonly Photo[], all: Try, budget: number): Try {
  let size = all.size
  const kept = all.photos.map((smaller, index) => {
    const more = smaller ? (photos[index]?.bytes.length ?? 0) - smaller.data.length : 0
    if (size + more > budget) return smaller
    size += more
    return null
  })
  return { ...all, photos: kept, size }
}

const saved = (pdf: PDFDocument) =>
  pdf.save({ rewrite: true, addDefaultPage: false, updateFieldAppearances: false })
