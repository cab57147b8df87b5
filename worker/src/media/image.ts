import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FORMATS, formatOfExtension } from '@garantia/shared/evidence/formats'
import type { Mark } from '@garantia/shared/evidence/marks'
import { JUDGED_SIDE } from '@garantia/shared/evidence/sharpness'
import { release } from '@garantia/shared/memory'
import sharp from 'sharp'
import { copied } from './copy.ts'
import { endOfImage } from './end-of-image.ts'
import { encodeWithinBudget, isOutputFormat, type OutputFormat } from './image-fit.ts'
import { type Image, type ImageMetadata, imageOf, readImageMetadata } from './image-reader.ts'
import { qualityOf } from './quality.ts'
import { imageDoesNotFit } from './refusal.ts'
import type { Converted, Facts, InspectedFacts, Preview, Run, Source, Target } from './types.ts'

/** Dimensions (px, upright), capture time and camera of a picture. Throws like readImageMetadata. */
export async function inspectImage(source: Source): Promise<InspectedFacts> {
  const picture = await readImageMetadata(source)
  const { capture, orientation } = picture
  return {
    ...factsOf(picture),
    camera: capture.camera,
    orientation: orientation >= 1 && orientation <= 8 ? orientation : null,
    has_location: capture.has_gps,
  }
}

/** The picture with marks on it, turned by `degrees` as it is. */
async function marked(image: Image, marks: readonly Mark[], degrees = 0): Promise<Image> {
  const pixels = await image.pixels()
  // With its fonts, which few pictures need.
  const { drawMarks } = await import('./marks.ts')
  drawMarks(pixels, marks, degrees)
  return { ...image, opened: () => sharp(pixels.data, { raw: pixels.raw }) }
}

const factsOf = ({ width, height, capture }: ImageMetadata): Facts => ({
  width,
  height,
  duration_seconds: null,
  pages: null,
  captured_at: capture.captured_at,
})

/**
 * Converts a picture within `target.budget_bytes`; one that already meets the target is copied unchanged.
 * Throws CannotConvert when it is damaged or does not fit in any accepted format.
 */
export async function convertImage(source: Source, target: Target, run: Run): Promise<Converted> {
  const picture = await readImageMetadata(source)
  run.onProgress(5)
  const decoded = await imageOf(source, picture, { side: target.long_side, turn: target.rotation }, run)
  const image = target.marks?.length ? await marked(decoded, target.marks, target.rotation) : decoded
  if (goesAsItIs(source, picture, target)) {
    // Decoded anyway, so that a truncated file is not accepted as a good one.
    await image.pixels()
    const copy = await copiedImage(source, factsOf(picture), run)
    if (copy) {
      await image.close()
      return copy
    }
  }

  const exif = picture.capture.buildExif(target.keep_gps)
  let smallest = Number.POSITIVE_INFINITY
  const formats = wanted(target.image_formats)
  for (const format of formats) {
    const made = await encodeWithinBudget(image, format, exif, target.budget_bytes, run)
    if ('data' in made) {
      run.onProgress(95)
      const path = join(run.dir, `converted.${FORMATS[format].ext}`)
      await writeFile(path, made.data)
      const { width, height } = made
      const size = made.data.length
      release(made.data)
      await image.close()
      const is_over_compressed =
        made.is_over_compressed || format !== formats[0] || goesAsItIs(source, picture, unlimited(target))
      return {
        ...{ ...factsOf(picture), width, height },
        ...{ path, size, format, reencoded: true, is_over_compressed },
      }
    }
    smallest = Math.min(smallest, made.smallest)
  }
  throw imageDoesNotFit(smallest, target.budget_bytes)
}

/**
 * The picture unchanged, without what was appended to it: a page, a program or an archive goes to no brand. Null
 * when its end cannot be told.
 */
async function copiedImage(source: Source, facts: Facts, run: Run): Promise<Converted | null> {
  const bytes = await readFile(source.path)
  const end = endOfImage(bytes, source.format)
  if (end === undefined) return null
  if (end === bytes.length) return copied(source, facts, run)
  const path = join(run.dir, `converted.${FORMATS[source.format].ext}`)
  await writeFile(path, bytes.subarray(0, end))
  return { ...facts, path, size: end, format: source.format, reencoded: false, is_over_compressed: false }
}

const goesAsItIs = ({ format, size }: Source, picture: ImageMetadata, target: Target) =>
  target.image_formats.some((accepted) => formatOfExtension(accepted) === format) &&
  size <= target.budget_bytes &&
  Math.max(picture.width, picture.height) <= target.long_side &&
  picture.orientation === 1 &&
  !target.rotation &&
  !target.marks?.length &&
  (target.keep_gps || !picture.capture.has_gps)

const unlimited = (target: Target): Target => ({ ...target, budget_bytes: Number.POSITIVE_INFINITY })

/** The brand's formats that can be written here, in its order, then JPEG, which every portal accepts. */
const wanted = (accepted: readonly string[]): OutputFormat[] => [
  ...new Set([...accepted.map(formatOfExtension).filter(isOutputFormat), 'jpeg' as const]),
]

const PREVIEW_SIDE = 480

/** Makes a WebP thumbnail of at most 480 px and measures the picture's quality, both from one decoding. */
export async function previewImage(source: Source, run: Run): Promise<Preview> {
  // lanczos3 would take a tenth of a thumbnail's time and does not change which pictures count as blurred.
  const image = await imageOf(
    source,
    await readImageMetadata(source),
    { side: JUDGED_SIDE, kernel: 'cubic' },
    run,
  )
  const pixels = await image.pixels()
  const path = join(run.dir, 'preview.webp')
  const { size } = await sharp(pixels.data, { raw: pixels.raw })
    .resize({
      ...{ width: PREVIEW_SIDE, height: PREVIEW_SIDE, fit: 'inside', withoutEnlargement: true },
      kernel: 'linear',
    })
    // A higher effort takes four times as long and makes the file a twentieth smaller.
    .webp({ quality: 75, effort: 0 })
    .toFile(path)
  const quality = await qualityOf(pixels)
  await image.close()
  return { path, size, ...quality }
}
