import { join } from 'node:path'
import { type FormatName, MAX_HEIC_PIXELS, MAX_PIXELS } from '@garantia/shared/evidence/formats'
import { release } from '@garantia/shared/memory'
import sharp, { type KernelEnum, type Sharp, type SharpOptions } from 'sharp'
import { type CaptureInfo, readCaptureInfo } from './exif.ts'
import { unpackHeic } from './heic.ts'
import { inMemory, type Pixels } from './pixels.ts'
import { imageDamaged, imageOfOtherKind, imageTooLarge } from './refusal.ts'
import type { Run, Source } from './types.ts'

// Two jobs run in parallel: more libvips threads would only compete for the cores, and its cache would keep
// uploaded pictures in memory.
sharp.cache(false)
sharp.concurrency(1)

// Only these loaders are enabled, whatever the content claims to be: no SVG, PDF or ImageMagick behind a
// .jpg.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Tiff', 'Heif'].flatMap((kind) => [
    `VipsForeignLoad${kind}File`,
    `VipsForeignLoad${kind}Buffer`,
  ]),
})

const SECONDS_PER_STEP = 120
export const READ: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error' }

export interface ImageMetadata {
  /** Pixels, after rotation to upright. */
  width: number
  height: number
  /** EXIF orientation of the stored pixels: 1 is upright. */
  orientation: number
  capture: CaptureInfo
  /** ICC profile; a HEIC's pixels have to be interpreted with it. */
  profile: Buffer | undefined
}

const seen = new WeakMap<Source, ImageMetadata>()
/**
 * Reads the file's header, once per source. Throws CannotConvert when it is damaged, of another format than
 * declared, or has more than MAX_PIXELS (MAX_HEIC_PIXELS for formats that are decoded whole).
 */
export async function readImageMetadata(source: Source): Promise<ImageMetadata> {
  const picture = seen.get(source) ?? (await headOf(source))
  seen.set(source, picture)
  return picture
}

async function headOf(source: Source): Promise<ImageMetadata> {
  const head = await sharp(source.path, { ...READ, limitInputPixels: false })
    .metadata()
    .catch(rethrowAsDamaged)
  const format = head.format === 'heif' ? (head.compression === 'av1' ? 'avif' : 'heic') : head.format
  if (format !== source.format) throw imageOfOtherKind()
  const most = mostPixels(source.format, head.isProgressive === true)
  if (head.width * head.height > most) throw imageTooLarge(head.width * head.height, most)
  return {
    ...head.autoOrient,
    orientation: head.orientation ?? 1,
    capture: readCaptureInfo(head.exif, head.xmp),
    profile: head.icc,
  }
}

/** Formats that have to be decoded whole in memory get the lower limit; the others are streamed. */
const mostPixels = (format: FormatName, isProgressive: boolean) =>
  isProgressive || ['heic', 'avif', 'webp'].includes(format) ? MAX_HEIC_PIXELS : MAX_PIXELS

/** A picture ready for encoding: every `opened` decodes it anew as a stream, `pixels` once into memory. */
export interface Image {
  /** Its pixels in number, about. */
  area: number
  opened(): Sharp
  pixels(): Promise<Pixels>
  /** Releases the memory of the pixels; call it when nothing reads them any more. */
  close(): Promise<void>
}

interface View {
  /** Longest side in pixels; a smaller picture is not enlarged. */
  side: number
  /** Degrees clockwise, added to the EXIF rotation. */
  turn?: number | undefined
  /** Resampling kernel; lanczos3 by default. */
  kernel?: keyof KernelEnum
}

/**
 * Opens a picture as upright sRGB, turned by `turn`, its longest side at most `side` px. HEIC is decoded
 * first.
 */
export async function imageOf(
  source: Source,
  picture: ImageMetadata,
  { side, turn = 0, kernel = 'lanczos3' }: View,
  run: Run,
): Promise<Image> {
  const heic = source.format === 'heic'
  const path = heic
    ? await unpackHeic(source.path, join(run.dir, 'heic.tif'), picture.profile, run)
    : source.path
  const opened = () => {
    run.signal.throwIfAborted()
    const image = sharp(path, READ).autoOrient().rotate(turn).timeout({ seconds: SECONDS_PER_STEP })
    return (heic ? image.removeAlpha() : image)
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true, kernel })
      .toColourspace('srgb')
  }
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  let decoded: Promise<Pixels> | undefined
  return {
    area: picture.width * picture.height * scale ** 2,
    opened,
    pixels: () => {
      decoded ??= inMemory(opened()).catch(rethrowAsDamaged)
      return decoded
    },
    close: async () => {
      if (decoded) release((await decoded).data)
    },
  }
}

/**
 * sharp's errors carry no codes, so their text decides: a missing file, a full disk and a lack of memory or
 * file handles are rethrown (retried), everything else becomes a CannotConvert.
 */
export function rethrowAsDamaged(error: unknown): never {
  const text = error instanceof Error ? error.message : String(error)
  if (/Input file is missing|No space left|Too many open files|out of memory|unable to allocate/i.test(text))
    throw error
  throw imageDamaged(error)
}
