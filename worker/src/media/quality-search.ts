/** Parameters of a search for the best quality (0–100) that can be encoded within a budget. */
export interface Search<T> {
  /** Bytes. */
  budget: number
  /** Lowest quality to try. */
  worst: number
  /** A quality known to be too large; only lower ones are tried. */
  beyond: number
  /** Bytes at `beyond`, where they are known. */
  known: number | null
  encode: (quality: number) => Promise<T>
  /** A cheap encoding of nearly the same size, and the final bytes per draft byte; false without one. */
  drafts: { bytesAt: (quality: number) => Promise<number>; ratio: number } | false
}

/** A smaller step in quality is not visible. */
const QUALITY_STEP = 4
/** A result that uses this share of the budget is accepted without further attempts. */
const ENOUGH = 0.97
/** Share of the budget aimed at: an encoding deviates by one or two percent from its estimate. */
const AIM = 0.985
const DRAFTS = 3
/** How fast bytes grow with quality in most pictures, used until two points of this picture are known. */
const USUAL_STEEPNESS = 0.8

interface Point {
  quality: number
  bytes: number
}

/**
 * Finds the best quality within the budget. Log(bytes) over log(100 − quality) is nearly a straight line, so
 * two points locate the budget on it: two encodings where a binary search takes five. Returns the smallest
 * size in bytes when not even `worst` fits.
 */
export async function findBestQuality<T extends { data: Buffer }>(
  search: Search<T>,
): Promise<T | { smallest: number }> {
  const { budget, worst, beyond, drafts, encode } = search
  const drafted: Point[] = search.known ? [{ quality: beyond, bytes: search.known }] : []
  const next = (curve: readonly Point[], low: number, high: number, ratio: number) =>
    Math.min(high, Math.max(low, qualityAt(curve, (budget * AIM) / ratio)))

  let quality = next(drafted, worst, beyond - 1, drafts ? drafts.ratio : 1)
  for (let draft = 0; drafts && draft < DRAFTS; draft++) {
    drafted.push({ quality, bytes: await drafts.bytesAt(quality) })
    const better = next(drafted, worst, beyond - 1, drafts.ratio)
    const isThere = Math.abs(better - quality) <= 1
    quality = better
    if (isThere) break
  }

  let curve: Point[] | null = null // sizes of final encodes; drafts are scaled to them
  let best: (Point & { made: T }) | null = null
  let high = beyond
  let smallest = Number.POSITIVE_INFINITY
  for (;;) {
    const made = await encode(quality)
    const bytes = made.data.length
    smallest = Math.min(smallest, bytes)
    if (bytes <= budget) best = { quality, bytes, made }
    else high = quality
    if (high === worst) return { smallest }
    const low = best?.quality ?? worst - 1
    if (best && (best.bytes >= ENOUGH * budget || high - low <= QUALITY_STEP)) return best.made
    if (!curve) {
      const ratio = drafts ? bytes / bytesAt(drafted, quality) : 1
      curve = drafted
        .filter((point) => point.quality !== quality)
        .map((point) => ({ ...point, bytes: point.bytes * ratio }))
    }
    curve.push({ quality, bytes })
    quality = next(curve, low + 1, high - 1, 1)
  }
}

/** JPEG's quantisation step grows with 100 − quality; sizes follow a power of it. */
const coarseness = (quality: number) => Math.log(100 - quality)

function line(curve: readonly Point[], at: (point: Point) => number) {
  const [one, other] = [...curve].sort((a, b) => at(a) - at(b))
  if (!one) return null
  const steepness =
    other && other.quality !== one.quality
      ? (Math.log(one.bytes) - Math.log(other.bytes)) / (coarseness(other.quality) - coarseness(one.quality))
      : USUAL_STEEPNESS
  return { one, steepness: steepness > 0.1 ? steepness : USUAL_STEEPNESS }
}

/** The quality at which the picture takes that many bytes, from the two nearest points. */
function qualityAt(curve: readonly Point[], bytes: number) {
  const found = line(curve, (point) => Math.abs(Math.log(point.bytes / bytes)))
  if (!found) return FIRST_GUESS
  const { one, steepness } = found
  return Math.floor(100 - Math.exp(coarseness(one.quality) + Math.log(one.bytes / bytes) / steepness))
}
const FIRST_GUESS = 69

function bytesAt(curve: readonly Point[], quality: number) {
  const found = line(curve, (point) => Math.abs(point.quality - quality))
  if (!found) return Number.NaN
  const { one, steepness } = found
  return one.bytes * Math.exp(steepness * (coarseness(one.quality) - coarseness(quality)))
}
