import type { PDFDocument } from '@cantoo/pdf-lib'
import { type Photo, type Pressed, photosOf, pressed, replace } from './pdf-photos.ts'

interface Try {
  pressure: number
  photos: Pressed[]
  size: number
}
export interface Shrunk {
  /** Null when even the smallest is too large. */
  bytes: Uint8Array | null
  smallest: number
}

/** Looking for the right pressure ends after so many tries, or when so much of the budget is used. */
const TRIES = 5
const WELL_USED = 0.9
/** What the entry of a picture may grow by when its figures change. */
const PER_PHOTO = 64

/**
 * Writes a PDF anew, its photos pressed no harder than the budget asks; everything else stays as it is.
 * Every try starts from the original photos, so that losses do not add up.
 */
export async function shrinkPdf(
  pdf: PDFDocument,
  budget: number,
  onPercent: (percent: number) => void,
): Promise<Shrunk> {
  const untouched = await saved(pdf)
  if (untouched.length <= budget) return { bytes: untouched, smallest: untouched.length }
  const photos = photosOf(pdf)
  const rest = untouched.length - photos.reduce((sum, { bytes }) => sum + bytes.length - PER_PHOTO, 0)
  let tries = 0
  const attempt = async (pressure: number): Promise<Try> => {
    const made: Pressed[] = []
    let size = rest
    for (const photo of photos) {
      const smaller = await pressed(photo, pressure)
      made.push(smaller)
      size += smaller?.data.length ?? photo.bytes.length
      onPercent(5 + (90 * (tries + made.length / photos.length)) / (TRIES + 2))
    }
    tries++
    return { pressure, photos: made, size }
  }

  const gentle = await attempt(0)
  const fits =
    gentle.size <= budget
      ? spared(photos, gentle, budget)
      : await gentlest(gentle, await attempt(1), budget, attempt)
  if (fits.size > budget) return { bytes: null, smallest: Math.min(untouched.length, fits.size) }
  for (const [index, photo] of photos.entries()) {
    const smaller = fits.photos[index]
    if (smaller) replace(pdf, photo, smaller)
  }
  const bytes = await saved(pdf)
  return { bytes: bytes.length <= budget ? bytes : null, smallest: bytes.length }
}

/** As many photos as the budget bears stay as they were. */
function spared(photos: readonly Photo[], all: Try, budget: number): Try {
  let size = all.size
  const kept = all.photos.map((smaller, index) => {
    const more = smaller ? (photos[index]?.bytes.length ?? 0) - smaller.data.length : 0
    if (size + more > budget) return smaller
    size += more
    return null
  })
  return { ...all, photos: kept, size }
}

/** Between a pressure that is too little and one that does; bytes fall about evenly in the logarithm. */
async function gentlest(
  over: Try,
  hardest: Try,
  budget: number,
  attempt: (pressure: number) => Promise<Try>,
) {
  if (hardest.size > budget) return hardest
  let [low, fits] = [over, hardest]
  for (let more = 0; more < TRIES && fits.size < WELL_USED * budget; more++) {
    const goal = Math.log(low.size / (0.96 * budget)) / Math.log(low.size / fits.size)
    const step = Math.min(0.85, Math.max(0.15, goal))
    const next = await attempt(low.pressure + (fits.pressure - low.pressure) * step)
    if (next.size <= budget) fits = next
    else low = next
  }
  return fits
}

const saved = (pdf: PDFDocument) =>
  pdf.save({ rewrite: true, addDefaultPage: false, updateFieldAppearances: false })
