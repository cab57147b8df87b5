import type { DossierBuild } from '@garantia/server/features/records/dossier'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { brl, date, dateTime } from '@garantia/shared/format'
import type Presentation from 'pptxgenjs'
import { printable, shortened, wrapped } from './fonts.ts'
import { type Box, LOGO_GAP, logoSize, type Picture, placePicture, type Size } from './picture-layout.ts'
import { captionOf, companyLines, contentsOf, type Line, type NumberedFile } from './words.ts'

type Slide = ReturnType<Presentation['addSlide']>

/** A slide in points, 16:9. */
const SLIDE = { width: 960, height: 540 }
const MARGIN = 36
const HEADER = 20
/** Where the content of a slide stands, below its header. */
const AREA: Box = { x: MARGIN, y: 52, width: SLIDE.width - 2 * MARGIN, height: 452 }
const GAP = 12
/** Captions are read from farther away than a page; a long one is smaller. */
const ENLARGED = [1.35, 1.15, 1, 0.85]
const LINE_HEIGHT = 1.25
/** Arial is on every machine, and narrower than Inter, by which the lines are measured. */
const FONT = 'Arial'
const RED = 'D92534'
const INK = '1C2127'
const GREY = '5F6B7C'

const inches = ({ x, y, width, height }: Box) => ({ x: x / 72, y: y / 72, w: width / 72, h: height / 72 })

const heightOf = ({ text, size, weight, gap }: Line, width: number) =>
  wrapped(text, width, size, weight).length * size * LINE_HEIGHT + gap

/** Writes lines one below the other into boxes of their measured height; returns the end of the last. */
function write(slide: Slide, lines: readonly Line[], { x, y, width }: Omit<Box, 'height'>) {
  let below = y
  for (const line of lines) {
    const height = heightOf(line, width)
    slide.addText(line.text, {
      ...inches({ x, y: below, width, height: height - line.gap }),
      fontFace: FONT,
      fontSize: line.size,
      bold: line.weight === 'bold',
      color: line.isGrey ? GREY : INK,
      margin: 0,
      valign: 'top',
    })
    below += height
  }
  return below
}
const line = (text: string, size: number, more: Partial<Line> = {}): Line => ({
  text: printable(text),
  size,
  weight: 'text',
  isGrey: false,
  gap: 4,
  ...more,
})

/** Where the cover begins. */
const TOP = 30
const dataOf = ({ data }: Picture) => `image/jpeg;base64,${data.toString('base64')}`

/** Dealership with its logo, order and vehicle, as on the cover of the report. */
export function coverSlide(
  presentation: Presentation,
  building: DossierBuild,
  logo: Picture | null,
  sealed_at: Date,
): Slide {
  const { order, brand, company, n, files, actor } = building
  const slide = presentation.addSlide()
  slide.addShape('rect', {
    ...inches({ x: 0, y: 0, width: SLIDE.width, height: 8 }),
    fill: { color: RED },
    line: { type: 'none' },
  })
  const logoAt = logo && logoSize(logo)
  const beside = AREA.width - (logoAt ? logoAt.width + LOGO_GAP : 0)
  const { width } = AREA
  const one = (text: string, size: number, more: Partial<Line> = {}, room = width) =>
    line(shortened(printable(text), room, size, more.weight), size, more)
  if (logo && logoAt)
    slide.addImage({
      data: dataOf(logo),
      ...inches({ x: MARGIN + beside + LOGO_GAP, y: TOP, ...logoAt }),
      altText: `Logotipo de ${company.trading_name}`,
    })
  const head = write(
    slide,
    [
      one(company.trading_name, 18, { weight: 'bold', gap: 6 }, beside),
      ...companyLines(building).map((text) => one(text, 11, { isGrey: true, gap: 2 }, beside)),
      line(' ', 10),
    ],
    { x: MARGIN, y: TOP, width: beside },
  )
  const y = write(
    slide,
    [
      one('Dossiê de evidências de garantia', 14, { weight: 'bold', isGrey: true, gap: 4 }),
      one(`Ordem de serviço ${order.os_number}`, 36, { weight: 'bold', gap: 2 }),
      one(brand.display_name, 18, { isGrey: true, gap: 18 }),
    ],
    { x: MARGIN, y: Math.max(head, TOP + (logoAt?.height ?? 0) + 6), width },
  )
  const facts: [string, string | null | undefined][] = [
    ['Veículo', [order.vehicle_model, order.vehicle_year].filter(Boolean).join(' · ')],
    ['Chassi', order.vehicle_chassis],
    ['Placa', order.vehicle_plate && formatPlate(order.vehicle_plate)],
    ['Abertura', date(order.opened_at)],
    ['Conclusão', order.completed_at && date(order.completed_at)],
    ['Valor total', brl(order.total_value)],
    ['Conteúdo', contentsOf(files)],
    ['Versão do dossiê', `${n}, concluída em ${dateTime(sealed_at)} por ${actor}`],
  ]
  write(
    slide,
    facts.flatMap(([label, value]) => (value ? [one(`${label}: ${value}`, 14, { gap: 3 })] : [])),
    { x: MARGIN, y, width },
  )
  return slide
}

const TITLE = 22
/** The account of the repair, on as many slides as it takes. */
export function narrativeSlides(presentation: Presentation, { order }: DossierBuild): Slide[] {
  const parts: [string, string | null][] = [
    ['Problema relatado', order.problem_description],
    ['Diagnóstico', order.diagnosis],
    ['Solução aplicada', order.solution_applied],
    ['Peças substituídas', order.parts_replaced],
  ]
  const blocks = parts.flatMap(([label, text]) =>
    text
      ? [
          line(label, 14, { weight: 'bold', gap: 2 }),
          ...text.split(/\n+/).flatMap(pieces),
          line(' ', 8, { gap: 0 }),
        ]
      : [],
  )
  return listSlides(
    presentation,
    'Relato',
    blocks.map((one) => [one]),
  )
}
const MOST_LINES = 8
/** A paragraph as boxes of a few lines, which fill the slides evenly. */
function pieces(paragraph: string): Line[] {
  const rows = wrapped(printable(paragraph.trim()), AREA.width, 14)
  const found: Line[] = []
  for (let row = 0; row < rows.length; row += MOST_LINES)
    found.push(line(rows.slice(row, row + MOST_LINES).join(' '), 14, { gap: 0 }))
  return found.filter(({ text }) => text !== '')
}

/** Files without a picture, several on a slide. */
export const documentSlides = (
  presentation: Presentation,
  files: readonly NumberedFile[],
  people: DossierBuild['people'],
): Slide[] =>
  listSlides(
    presentation,
    'Documentos',
    files.map((file) => [...enlarged(captionOf(file, people), 1.2), line(' ', 8)]),
  )

/** Slides with blocks that are not broken, each slide with the title. */
function listSlides(
  presentation: Presentation,
  title: string,
  blocks: readonly (readonly Line[])[],
): Slide[] {
  const slides: Slide[] = []
  const bottom = AREA.y + AREA.height
  let y = bottom
  for (const block of blocks) {
    const height = block.reduce((sum, one) => sum + heightOf(one, AREA.width), 0)
    if (slides.length === 0 || y + height > bottom) {
      const slide = presentation.addSlide()
      slides.push(slide)
      y = write(slide, [line(title, TITLE, { weight: 'bold', gap: 10 })], AREA)
    }
    const slide = slides.at(-1)
    if (slide) y = write(slide, block, { ...AREA, y })
  }
  return slides
}

const enlarged = (lines: readonly Line[], by: number): Line[] =>
  lines.map((one) => ({ ...one, size: Math.round(one.size * by), gap: one.gap + 2 }))

/** Stands where a picture should be; points. */
const PLACEHOLDER = { width: 480, height: 300 }
const NO_PICTURE = 'Sem imagem: abra o arquivo do pacote.'

/** One photo, or a frame of a video, with its caption. */
export function fileSlide(
  presentation: Presentation,
  file: NumberedFile,
  picture: Picture | null,
  people: DossierBuild['people'],
): Slide {
  const slide = presentation.addSlide()
  const { at, lines } = placed(captionOf(file, people), picture ?? PLACEHOLDER)
  if (picture)
    slide.addImage({
      data: dataOf(picture),
      ...inches(at.picture),
      altText: lines[0]?.text ?? '',
    })
  else
    slide.addText(NO_PICTURE, {
      ...inches(at.picture),
      fontFace: FONT,
      align: 'center',
      valign: 'middle',
      fontSize: 14,
      color: GREY,
      fill: { color: 'F6F7F9' },
    })
  write(slide, lines, at.caption)
  return slide
}

/** The caption in the largest type that leaves room for the picture. */
function placed(caption: readonly Line[], picture: Size) {
  for (const by of ENLARGED) {
    const lines = enlarged(caption, by)
    const captionHeight = (width: number) => lines.reduce((sum, one) => sum + heightOf(one, width), 0)
    const at = placePicture(AREA, picture, captionHeight, GAP)
    if (at) return { at, lines }
  }
  throw new Error('A caption does not fit on a slide')
}

const SMALL = 10
/** The order and the number of the slide on all but the cover. */
export function numberSlides(slides: readonly Slide[], { order, brand, n }: DossierBuild) {
  for (const [place, slide] of slides.entries()) {
    if (place === 0) continue
    const side = 200
    const room = AREA.width - side
    const left = printable(`OS ${order.os_number} · ${brand.display_name} · ${order.company}`)
    const small = { fontFace: FONT, fontSize: SMALL, color: GREY, margin: 0 }
    slide.addText(shortened(left, room - 12, SMALL), {
      ...inches({ x: MARGIN, y: HEADER, width: room, height: 16 }),
      ...small,
    })
    slide.addText(`Dossiê ${n}, página ${place + 1} de ${slides.length}`, {
      ...inches({ x: MARGIN + room, y: HEADER, width: side, height: 16 }),
      ...small,
      align: 'right',
    })
  }
}
