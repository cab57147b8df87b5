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

/** From this quality up the loss is not visible. */
const BEST_QUALITY = 88
/** Below this quality a smaller picture shows more detail than a more compressed one. */
const WORST_QUALITY = 50
const SHRINKS = 5
const SMALLEST_SIDE = 480
/**
 * Below this budget in bytes the best quality rarely fits, so the picture is decoded once, for several
 * encodes.
 */
const SCARCE_BYTES = 400_000

interface Encoded {
  data: Buffer
  width: number
  height: number
}
export interface Fitted extends Encoded {
  /** Quality or dimensions were reduced for the budget. */
  is_over_compressed: boolean
}

/**
 * Encodes the picture at the best quality that fits `budget` bytes, in smaller dimensions where no quality
 * does; a PNG is never made smaller. Returns the bytes of the smallest attempt when none fits. CannotConvert
 * when the picture is damaged.
 */
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
      // Trellis search takes as long as ten plain encodes: drafts without it find the quality to start from.
      drafts: format === 'jpeg' && { bytesAt: (quality) => draftBytes(from, quality), ratio: DRAFT_RATIO },
      known: from === pixels ? smallest : null,
      encode,
    })
    if ('data' in found) return { ...found, is_over_compressed: true }
    smallest = Math.min(smallest, found.smallest)
    const side = Math.max(from.raw.width, from.raw.height)
    if (side <= SMALLEST_SIDE) break
    // Bytes shrink less than pixels do; a scale of at most 0.85 saves another attempt.
    const scale = Math.min(0.85, Math.sqrt(budget / found.smallest))
    from = await shrunk(
      pixels,
      Math.max(SMALLEST_SIDE, side * scale) / Math.max(pixels.raw.width, pixels.raw.height),
    )
  }
  return { smallest }
}

const ofPixels = ({ data, raw }: Pixels) => sharp(data, { raw })

/**
 * At the best quality, optimised Huffman tables are skipped: a fifth of the time for a twenty-fifth of the
 * bytes.
 */
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

/** Final bytes per draft byte, for photographs; drawings have a lower ratio, which the first encode shows. */
const DRAFT_RATIO = 0.86
/** Uses mozjpeg's quantisation table, so that a quality means the same in draft and final encode. */
async function draftBytes(pixels: Pixels, quality: number) {
  const draft = await asJpeg(ofPixels(pixels), { quality, quantisationTable: 3 }).toBuffer()
  const { length } = draft
  release(draft)
  return length
}
