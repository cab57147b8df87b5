import { writeFile } from 'node:fs/promises'
import type { DossierBuild } from '@garantia/server/features/records/dossier'
import { MEGABYTE } from '@garantia/shared/format'
import Presentation from 'pptxgenjs'
import type { PageSize, Source } from '../media/media.ts'
import type { Picture } from './picture-layout.ts'
import { coverSlide, documentSlides, fileSlide, narrativeSlides, numberSlides } from './slide-pages.ts'
import { type NumberedFile, readingOrder } from './words.ts'

/** Bytes of a presentation without its pictures: theme, layouts, one small file per slide. */
const FIXED_BYTES = 300_000
const TRIES = 5
/** Longest side (px) and JPEG quality, tried from the top until the picture fits its share. */
const PICTURE_SIZES = [
  { long_side: 1600, quality: 82 },
  { long_side: 1600, quality: 70 },
  { long_side: 1280, quality: 70 },
  { long_side: 1280, quality: 58 },
  { long_side: 1024, quality: 55 },
  { long_side: 800, quality: 50 },
  { long_side: 640, quality: 45 },
  { long_side: 480, quality: 40 },
  { long_side: 320, quality: 35 },
]

/** Reads a picture in that size; null when it is unreadable. */
export type PictureReader = (source: Source, size: PageSize) => Promise<Picture | null>

interface Slide {
  file: NumberedFile
  picture: Picture | null
}

interface SlidePictures {
  sourceOf: (evidence_id: number) => Source | null
  readPicture: PictureReader
  logo: Picture | null
}

/**
 * Writes the presentation that some brands ask for, below `limit_mb`: the pictures get equal shares of the
 * limit, which are reduced until the real size fits. Returns its bytes, or null when no attempt fits.
 */
export async function writeSlides(
  building: DossierBuild,
  { sourceOf, readPicture, logo }: SlidePictures,
  path: string,
  limit_mb: number,
  sealed_at: Date,
): Promise<number | null> {
  const limit = limit_mb * MEGABYTE
  const { shown, documents } = readingOrder(building)
  const sources = shown.map((file) => ({ file, source: sourceOf(file.row.id) }))
  const pictures = sources.filter(({ source }) => source !== null).length
  let share = (limit - FIXED_BYTES) / Math.max(1, pictures)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const slides: Slide[] = []
    for (const { file, source } of sources)
      slides.push({ file, picture: source === null ? null : await within(readPicture, source, share) })
    const data = await presentation(building, logo, slides, documents, sealed_at)
    if (data.length <= limit) {
      await writeFile(path, data)
      return data.length
    }
    share *= Math.min(0.8, limit / data.length)
  }
  return null
}

async function within(readPicture: PictureReader, source: Source, share: number) {
  let smallest: Picture | null = null
  for (const size of PICTURE_SIZES) {
    smallest = await readPicture(source, size)
    if (!smallest || smallest.data.length <= share) return smallest
  }
  return smallest
}

async function presentation(
  building: DossierBuild,
  logo: Picture | null,
  slides: readonly Slide[],
  documents: readonly NumberedFile[],
  sealed_at: Date,
) {
  const { order, n, people } = building
  const presentation = new Presentation()
  presentation.layout = 'LAYOUT_WIDE'
  presentation.title = `Dossiê ${n} da OS ${order.os_number}`
  presentation.company = order.company
  const made = [
    coverSlide(presentation, building, logo, sealed_at),
    ...narrativeSlides(presentation, building),
    ...slides.map(({ file, picture }) => fileSlide(presentation, file, picture, people)),
    ...documentSlides(presentation, documents, people),
  ]
  numberSlides(made, building)
  return (await presentation.write({ outputType: 'nodebuffer', compression: true })) as Buffer
}
