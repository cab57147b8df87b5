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
 * Bytes per pixel below which the best quality may not fit. The picture is then decoded into memory for
 * several encodes, which costs a tenth more than encoding it from the file; decoding it again would cost as
 * much once more.
 */
const SCARCE = 0.5
/**
 * A JPEG of the best quality is encoded without the care that the others get, which would save this ratio.
 */
const CARE = 0.8

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
  const isScarce = budget < SCARCE * image.area && format !== 'png'
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
  const estimates = await estimatesFor(pixels, format, smallest)
  const ratio = format === 'jpeg' ? CARE : 1
  let from = pixels
  for (let shrinks = 0; shrinks <= SHRINKS; shrinks++) {
    run.onProgress(65 + shrinks * 5)
    const found = await findBestQuality({
      budget,
      ...{ worst: WORST_QUALITY, beyond: BEST_QUALITY },
      known: from === pixels ? smallest * ratio : null,
      estimate: estimates(from),
      encode: (quality) => {
        run.signal.throwIfAborted()
        return encodeImage(ofPixels(from), format, quality, exif)
      },
    })
    if ('data' in found) return { ...found, is_over_compressed: true }
    smallest = Math.min(smallest, found.smallest)
    const side = Math.max(from.raw.width, from.raw.height)
    if (side <= SMALLEST_SIDE) break
    // Bytes shrink less than pixels do; a scale of at most 0.85 saves another attempt.
    const scale = Math.min(0.85, (budget / found.smallest) ** 0.65)
    from = await shrunk(
      pixels,
      Math.max(SMALLEST_SIDE, side * scale) / Math.max(pixels.raw.width, pixels.raw.height),
    )
  }
  return { smallest }
}

/**
 * Estimates of what the picture, shrunk or not, takes at a quality: a part of it is encoded with all care,
 * which takes a part of the time. `whole` is what all of `pixels` takes at the best quality.
 */
async function estimatesFor(pixels: Pixels, format: OutputFormat, whole: number) {
  const bytesOf = async (picture: Pixels, quality: number) => {
    const { data } = await encodeImage(ofPixels(picture), format, quality, null)
    const { length } = data
    release(data)
    return length
  }
  const { part, times } = partOf(pixels)
  // The part may have more detail than the rest, or less.
  const detail = times === 1 ? 1 : whole / (await bytesOf(part, BEST_QUALITY)) / times
  return (from: Pixels) => {
    const sample = from === pixels ? { part, times } : partOf(from)
    return async (quality: number) => (await bytesOf(sample.part, quality)) * sample.times * detail
  }
}

/** Height in px of a row of JPEG blocks with halved colours. */
const BAND = 16
/**
 * So large a part tells the whole within two percent on photos, within six where one corner has all the
 * detail.
 */
const ENOUGH_PIXELS = 400_000

/** Equally spaced bands of the picture as one picture, and how many times its pixels the whole has. */
function partOf(pixels: Pixels) {
  const { width, height, channels } = pixels.raw
  const every = Math.floor((width * height) / ENOUGH_PIXELS)
  const bands = Math.floor(height / BAND / every)
  if (every < 2 || bands < 2) return { part: pixels, times: 1 }
  const bytes = width * channels * BAND
  const data = Buffer.allocUnsafe(bands * bytes)
  for (let band = 0; band < bands; band++) {
    const from = Math.floor((band + 0.5) * every) * bytes
    pixels.data.copy(data, band * bytes, from, from + bytes)
  }
  const part: Pixels = { data, raw: { ...pixels.raw, height: bands * BAND } }
  return { part, times: height / part.raw.height }
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
