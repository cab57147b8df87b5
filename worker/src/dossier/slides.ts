import { writeFile } from 'node:fs/promises'
import type { DossierBuild } from '@garantia/server/features/records/dossier'
import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { brl, date, dateTime, MEGABYTE } from '@garantia/shared/format'
import Presentation from 'pptxgenjs'
import type { PageSize, Source } from '../media/media.ts'

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

/** A JPEG in memory, width and height in px. */
export interface Picture {
  data: Buffer
  width: number
  height: number
}
/** Reads a picture in that size; null when it is unreadable. */
export type PictureReader = (source: Source, size: PageSize) => Promise<Picture | null>

type PackagedFile = DossierBuild['files'][number]
interface Slide {
  file: PackagedFile
  picture: Picture | null
}

/**
 * Writes the presentation that some brands ask for, below `limit_mb`: the pictures get equal shares of the
 * limit, which are reduced until the real size fits. Returns its bytes, or null when no attempt fits.
 */
export async function writeSlides(
  building: DossierBuild,
  { sourceOf, readPicture }: { sourceOf: (evidence_id: number) => Source | null; readPicture: PictureReader },
  path: string,
  limit_mb: number,
  sealed_at: Date,
): Promise<number | null> {
  const limit = limit_mb * MEGABYTE
  const sources = building.files.map((file) => ({ file, source: sourceOf(file.row.id) }))
  const pictures = sources.filter(({ source }) => source !== null).length
  let share = (limit - FIXED_BYTES) / Math.max(1, pictures)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const slides: Slide[] = []
    for (const { file, source } of sources)
      slides.push({ file, picture: source === null ? null : await within(readPicture, source, share) })
    const data = await presentation(building, slides, sealed_at)
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

const WIDE = { width: 13.333, height: 7.5 }
const BOX = { x: 0.4, y: 1.05, w: WIDE.width - 0.8, h: 5.55 }
const RED = 'D92534'
const INK = '1C2127'
const GREY = '5F6B7C'

async function presentation(
  { order, brand, n, files }: DossierBuild,
  slides: readonly Slide[],
  sealed_at: Date,
) {
  const presentation = new Presentation()
  presentation.layout = 'LAYOUT_WIDE'
  presentation.title = `Dossiê ${n} da OS ${order.os_number}`
  presentation.company = order.company
  const first = presentation.addSlide()
  first.addShape('rect', { x: 0, y: 0, w: WIDE.width, h: 0.14, fill: { color: RED } })
  first.addText(`OS ${order.os_number}`, {
    x: 0.6,
    y: 0.6,
    w: 12,
    h: 0.9,
    fontSize: 40,
    bold: true,
    color: INK,
  })
  first.addText(`${brand.display_name} · ${order.company}`, {
    x: 0.6,
    y: 1.45,
    w: 12,
    h: 0.5,
    fontSize: 18,
    color: GREY,
  })
  first.addText(
    factsOf(order).map(([label, value]) => ({ text: `${label}: ${value}`, options: { breakLine: true } })),
    { x: 0.6, y: 2.1, w: 12, h: 4.5, fontSize: 16, color: INK, valign: 'top' },
  )
  first.addText(`Dossiê ${n}, selado em ${dateTime(sealed_at)} · ${files.length} arquivos`, {
    x: 0.6,
    y: 6.8,
    w: 12,
    h: 0.4,
    fontSize: 12,
    color: GREY,
  })
  for (const { file, picture } of slides) fileSlide(presentation, file, picture)
  return (await presentation.write({ outputType: 'nodebuffer', compression: true })) as Buffer
}

function factsOf(order: DossierBuild['order']): [string, string][] {
  const facts: [string, string | null][] = [
    ['Veículo', [order.vehicle_model, order.vehicle_year].filter(Boolean).join(' ') || null],
    ['Chassi', order.vehicle_chassis],
    ['Placa', order.vehicle_plate],
    ['Abertura', date(order.opened_at)],
    ['Conclusão', order.completed_at && date(order.completed_at)],
    ['Problema', order.problem_description],
    ['Diagnóstico', order.diagnosis],
    ['Solução', order.solution_applied],
    ['Valor total', brl(order.total_value)],
  ]
  return facts.flatMap(([label, value]) => (value ? [[label, cut(value)] as [string, string]] : []))
}
const LONGEST = 320
const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

function fileSlide(presentation: Presentation, { name, row }: PackagedFile, picture: Picture | null) {
  const slide = presentation.addSlide()
  const title = row.evidence_category ? EVIDENCE_CATEGORY[row.evidence_category] : 'Sem categoria'
  slide.addText(row.description ? `${title}: ${cut(row.description)}` : title, {
    x: 0.4,
    y: 0.25,
    w: WIDE.width - 0.8,
    h: 0.7,
    fontSize: 22,
    bold: true,
    color: INK,
    fit: 'shrink',
  })
  if (picture) {
    const scale = Math.min(BOX.w / picture.width, BOX.h / picture.height)
    const [w, h] = [picture.width * scale, picture.height * scale]
    slide.addImage({
      data: `image/jpeg;base64,${picture.data.toString('base64')}`,
      x: BOX.x + (BOX.w - w) / 2,
      y: BOX.y + (BOX.h - h) / 2,
      w,
      h,
      altText: title,
    })
  } else
    slide.addText('Sem imagem: abra o arquivo do pacote.', {
      ...BOX,
      align: 'center',
      fontSize: 18,
      color: GREY,
    })
  const note = row.file_type === 'video' ? `Vídeo no pacote: ${name}` : name
  slide.addText(note, { x: 0.4, y: 6.85, w: WIDE.width - 0.8, h: 0.4, fontSize: 12, color: GREY })
}
