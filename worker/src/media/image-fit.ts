import type { FormatName } from '@garantia/shared/evidence/formats'
import { release } from '@garantia/shared/memory'
import sharp, { type Exif, type JpegOptions, type Sharp } from 'sharp'
import { type Image, rethrowAsDamaged } from './image-reader.ts'
import { type Pixels, shrunk } from './pixels.ts'
import { findBestQuality } from './quality-search.ts'
import type { Run } from './types.ts'

export type OutputFormat = 'jpeg' | 'png' | 'webp'
export const isOutputFormat = (format: FormatName | undefined): format is OutputFormat =>
  format === 'jpeg' || format === 'png' || format === 'webp'

/** Nobody sees the loss from here up. */
const BEST_QUALITY = 88
/** Below this a smaller picture shows more than a coarser one. */
const WORST_QUALITY = 50
const SHRINKS = 5
const SMALLEST_SIDE = 480
/** Under so few bytes the best quality is not to be expected: the pixels will be needed again. */
const SCARCE_BYTES = 400_000

interface Encoded {
  data: Buffer
  width: number
  height: number
}
export interface Fitted extends Encoded {
  /** Coarser or smaller than it would be without a budget. */
  is_over_compressed: boolean
}

/** The best picture that fits the budget, or the size of the smallest one tried. */
export async function encodeWithinBudget(
  image: Image,
  format: OutputFormat,
  exif: Exif | null,
  budget: number,
  run: Run,
): Promise<Fitted | { smallest: number }> {
  const isScarce = budget < SCARCE_BYTES && format !== 'png'
  const best = await encodeImage(
    isScarce ? ofPixels(await image.pixels()) : image.opened(),
    format,
    BEST_QUALITY,
    exif,
  ).catch(rethrowAsDamaged)
  if (best.data.length <= budget) return { ...best, is_over_compressed: false }
  let smallest = best.data.length
  release(best.data)
  if (format === 'png') return { smallest }

  const pixels = await image.pixels()
  let from = pixels
  for (let shrinks = 0; shrinks <= SHRINKS; shrinks++) {
    run.onProgress(65 + shrinks * 5)
    const encode = (quality: number) => {
      run.signal.throwIfAborted()
      return encodeImage(ofPixels(from), format, quality, exif)
    }
    const found = await findBestQuality({
      budget,
      ...{ worst: WORST_QUALITY, beyond: BEST_QUALITY },
      // Trellis search costs ten encodes' time: the place to look at is found without it.
      drafts: format === 'jpeg' && { bytesAt: (quality) => draftBytes(from, quality), ratio: DRAFT_RATIO },
      known: from === pixels ? smallest : null,
      encode,
    })
    if ('data' in found) return { ...found, is_over_compressed: true }
    smallest = Math.min(smallest, found.smallest)
    const side = Math.max(from.raw.width, from.raw.height)
    if (side <= SMALLEST_SIDE) break
    // Bytes grow slower than pixels; aiming a little low saves a round.
    const scale = Math.min(0.85, Math.sqrt(budget / found.smallest))
    from = await shrunk(
      pixels,
      Math.max(SMALLEST_SIDE, side * scale) / Math.max(pixels.raw.width, pixels.raw.height),
    )
  }
  return { smallest }
}

const ofPixels = ({ data, raw }: Pixels) => sharp(data, { raw })

/** Where bytes are not scarce, looking for the shortest code takes a fifth of the time and saves a twenty-fifth. */
async function encodeImage(
  image: Sharp,
  format: OutputFormat,
  quality: number,
  exif: Exif | null,
): Promise<Encoded> {
  const dated = exif ? image.withExif(exif) : image
  const { data, info } = await (format === 'png'
    ? dated.png({ compressionLevel: 9 })
    : format === 'webp'
      ? dated.webp({ quality })
      : asJpeg(
          dated,
          quality < BEST_QUALITY ? { quality, mozjpeg: true } : { quality, optimiseCoding: false },
        )
  ).toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

const asJpeg = (image: Sharp, options: JpegOptions) => image.flatten({ background: '#ffffff' }).jpeg(options)

/** Of photographs; drawings come out smaller still, and what is written tells the true one. */
const DRAFT_RATIO = 0.86
/** The table is mozjpeg's, so that a quality means the same in both. */
async function draftBytes(pixels: Pixels, quality: number) {
  const draft = await asJpeg(ofPixels(pixels), { quality, quantisationTable: 3 }).toBuffer()
  const { length } = draft
  release(draft)
  return length
}
