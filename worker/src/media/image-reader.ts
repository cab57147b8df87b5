import { join } from 'node:path'
import { type FormatName, MAX_HEIC_PIXELS, MAX_PIXELS } from '@garantia/shared/evidence/formats'
import { release } from '@garantia/shared/memory'
import sharp, { type KernelEnum, type Sharp, type SharpOptions } from 'sharp'
import { type CaptureInfo, readCaptureInfo } from './exif.ts'
import { unpackHeic } from './heic.ts'
import { inMemory, type Pixels } from './pixels.ts'
import { imageDamaged, imageOfOtherKind, imageTooLarge } from './refusal.ts'
import type { Run, Source } from './types.ts'

// Two jobs run side by side: threads of libvips would only fight over the cores, and its cache would keep
// the pictures of strangers in memory.
sharp.cache(false)
sharp.concurrency(1)

// Whatever the content claims to be, only these loaders exist: no SVG, PDF or ImageMagick behind a .jpg.
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
  /** Upright. */
  width: number
  height: number
  /** How the pixels lie, as EXIF counts: 1 is upright. */
  orientation: number
  capture: CaptureInfo
  /** For HEIC, the colour profile that its pixels have to be read with. */
  profile: Buffer | undefined
}

const seen = new WeakMap<Source, ImageMetadata>()
/** Reads the head of the file, once, and refuses what is not what it was taken for. */
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

/** What can only be decoded whole in memory gets the lower ceiling; the rest streams through. */
const mostPixels = (format: FormatName, isProgressive: boolean) =>
  isProgressive || ['heic', 'avif', 'webp'].includes(format) ? MAX_HEIC_PIXELS : MAX_PIXELS

/** A picture to be written: every `opened` decodes it anew on its way out, `pixels` once into memory. */
export interface Image {
  opened(): Sharp
  pixels(): Promise<Pixels>
  /** Gives the memory of the pixels back, once nothing reads them any more. */
  close(): Promise<void>
}

interface View {
  /** Longest side in pixels; a smaller picture stays as it is. */
  side: number
  /** Degrees clockwise beyond upright. */
  turn?: number | undefined
  /** How pixels are made fewer: the finest, unless told otherwise. */
  kernel?: keyof KernelEnum
}

/** Upright sRGB, turned from there, no longer than `side`. */
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
  let decoded: Promise<Pixels> | undefined
  return {
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

/** sharp names no codes: a missing file and a full disk are the machine's, the rest is the picture's. */
export function rethrowAsDamaged(error: unknown): never {
  const text = error instanceof Error ? error.message : String(error)
  if (/Input file is missing|No space left|Too many open files|out of memory|unable to allocate/i.test(text))
    throw error
  throw imageDamaged(error)
}
