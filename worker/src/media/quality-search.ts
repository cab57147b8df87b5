/** Parameters of a search for the best quality (0–100) that can be encoded within a budget. */
export interface Search<T> {
  /** Bytes. */
  budget: number
  /** Lowest quality to try. */
  worst: number
  /** A quality known to be too large; only lower ones are tried. */
  beyond: number
  /** Bytes at `beyond`, roughly; null where nothing is known. */
  known: number | null
  /** Bytes that `encode` would make, within a few percent and at a small part of its cost. */
  estimate: (quality: number) => Promise<number>
  encode: (quality: number) => Promise<T>
}

/** A smaller step in quality is not visible. */
const QUALITY_STEP = 4
/** A result that uses this share of the budget is accepted without further attempts. */
const ENOUGH = 0.97
/** Share of the budget aimed at: an encoding deviates by one or two percent from its estimate. */
const AIM = 0.985
/** An estimate that is over the budget by more decides without an encoding that nothing fits. */
const CERTAIN = 1.02
const ESTIMATES = 3
/** Over so few steps of quality two points predict as well as another estimate would. */
const NEAR = 2
/** How fast bytes grow with quality in most pictures, used until two points of this picture are known. */
const USUAL_STEEPNESS = 0.6

interface Point {
  quality: number
  bytes: number
}

/**
 * Finds the best quality within the budget, nearly always with a single encoding. Log(bytes) over log(100 −
 * quality) is nearly a straight line, so two estimates locate the budget on it. Returns the smallest size in
 * bytes, perhaps estimated, when not even `worst` fits.
 */
export async function findBestQuality<T extends { data: Buffer }>(
  search: Search<T>,
): Promise<T | { smallest: number }> {
  const { budget, worst, beyond, encode } = search
  const next = (curve: readonly Point[], low: number, high: number) =>
    Math.min(high, Math.max(low, qualityAt(curve, budget * AIM)))
  const { estimated, quality: start } = await estimatedFor(search, (curve) => next(curve, worst, beyond - 1))
  const least = Math.round(bytesAt(estimated, worst))
  if (start === worst && least > budget * CERTAIN) return { smallest: least }

  let quality = start
  let best: (Point & { made: T }) | null = null
  let high = beyond
  let smallest = Number.POSITIVE_INFINITY
  const encoded: Point[] = []
  let factor: number | undefined
  for (;;) {
    const made = await encode(quality)
    const bytes = made.data.length
    smallest = Math.min(smallest, bytes)
    if (bytes <= budget) best = { quality, bytes, made }
    else high = quality
    if (high === worst) return { smallest }
    encoded.push({ quality, bytes })
    // The estimates of a picture are all wrong by about the same factor; the first encoding is nearest to
    // them.
    factor ??= bytes / bytesAt(estimated, quality)
    const curve = [...encoded, ...scaled(estimated, factor)]
    const low = best?.quality ?? worst - 1
    const isBest =
      best &&
      (best.bytes >= ENOUGH * budget ||
        high - low <= QUALITY_STEP ||
        bytesAt(curve, low + QUALITY_STEP) > budget * CERTAIN)
    if (best && isBest) return best.made
    quality = next(curve, low + 1, high - 1)
  }
}

const scaled = (points: readonly Point[], factor: number) =>
  points.map((point) => ({ ...point, bytes: point.bytes * factor }))

/** The points that were estimated, and the quality they lead to. */
async function estimatedFor<T>(
  { beyond, known, estimate }: Search<T>,
  next: (curve: readonly Point[]) => number,
) {
  const rough: Point[] = known === null ? [] : [{ quality: beyond, bytes: known }]
  const estimated: Point[] = []
  let quality = next(rough)
  for (let count = 0; count < ESTIMATES; count++) {
    estimated.push({ quality, bytes: await estimate(quality) })
    const better = next(estimated.length > 1 ? estimated : [...estimated, ...rough])
    const isNear = Math.abs(better - quality) <= NEAR
    quality = better
    if (isNear) break
  }
  return { estimated, quality }
}

/** JPEG's quantisation step grows with 100 − quality; sizes follow a power of it. */
const coarseness = (quality: number) => Math.log(100 - quality)

function line(curve: readonly Point[], at: (point: Point) => number) {
  const [one, ...others] = [...curve].sort((a, b) => at(a) - at(b))
  if (!one) return null
  const other = others.find(({ quality }) => quality !== one.quality)
  const steepness = other
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
/** A picture of which nothing is known was shrunk until a little above the worst quality fits. */
const FIRST_GUESS = 55

function bytesAt(curve: readonly Point[], quality: number) {
  const found = line(curve, (point) => Math.abs(point.quality - quality))
  if (!found) return Number.NaN
  const { one, steepness } = found
  return one.bytes * Math.exp(steepness * (coarseness(one.quality) - coarseness(quality)))
}
