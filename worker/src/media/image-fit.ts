import type { FormatName } from '@garantia/shared/evidence/formats'
import sharp, { type Exif } from 'sharp'
import type { Run } from './media.ts'
import { type Pixels, shrunk } from './picture.ts'

export type Writable = 'jpeg' | 'png' | 'webp'
export const writable = (format: FormatName | undefined): format is Writable =>
  format === 'jpeg' || format === 'png' || format === 'webp'

/** Nobody sees the loss from here up. */
const BEST_QUALITY = 88
/** Below this a smaller picture shows more than a coarser one. */
const WORST_QUALITY = 50
/** Searching finer than this changes nothing a person sees. */
const QUALITY_STEP = 4
const SHRINKS = 5
const SMALLEST_SIDE = 480

interface Encoded {
  data: Buffer
  width: number
  height: number
}

/** The best picture that fits the budget, or the size of the smallest one tried. */
export async function fitted(
  pixels: Pixels,
  format: Writable,
  exif: Exif | null,
  budget: number,
  run: Run,
): Promise<Encoded | { smallest: number }> {
  const encode = async (from: Pixels, quality: number) => {
    run.signal.throwIfAborted()
    const data = await written(from, format, quality, exif)
    return { data, width: from.raw.width, height: from.raw.height }
  }
  const best = await encode(pixels, BEST_QUALITY)
  if (best.data.length <= budget) return best
  if (format === 'png') return { smallest: best.data.length }

  let smallest = best.data.length
  let from = pixels
  for (let shrinks = 0; shrinks <= SHRINKS; shrinks++) {
    run.onProgress(65 + shrinks * 5)
    const coarse = await encode(from, WORST_QUALITY)
    smallest = Math.min(smallest, coarse.data.length)
    if (coarse.data.length <= budget) return finest(coarse, (quality) => encode(from, quality), budget)
    const side = Math.max(from.raw.width, from.raw.height)
    if (side <= SMALLEST_SIDE) break
    // Bytes grow slower than pixels; aiming a little low saves a round.
    const scale = Math.min(0.85, Math.sqrt(budget / coarse.data.length))
    from = await shrunk(
      pixels,
      Math.max(SMALLEST_SIDE, side * scale) / Math.max(pixels.raw.width, pixels.raw.height),
    )
  }
  return { smallest }
}

/** Binary search between a quality that fits and one that does not. */
async function finest(fits: Encoded, encode: (quality: number) => Promise<Encoded>, budget: number) {
  let best = fits
  let low = WORST_QUALITY
  let high = BEST_QUALITY
  while (high - low > QUALITY_STEP) {
    const middle = Math.round((low + high) / 2)
    const made = await encode(middle)
    if (made.data.length <= budget) {
      best = made
      low = middle
    } else high = middle
  }
  return best
}

function written({ data, raw }: Pixels, format: Writable, quality: number, exif: Exif | null) {
  const image = sharp(data, { raw })
  const dated = exif ? image.withExif(exif) : image
  if (format === 'png') return dated.png({ compressionLevel: 9 }).toBuffer()
  if (format === 'webp') return dated.webp({ quality }).toBuffer()
  // Trellis search costs five encodes' time: spent only where bytes are short.
  return dated
    .flatten({ background: '#ffffff' })
    .jpeg({ quality, mozjpeg: quality < BEST_QUALITY })
    .toBuffer()
}
