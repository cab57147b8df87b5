import type { DossierBuild } from '@garantia/server/features/records/dossier'
import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { FILE_TYPE_LABEL } from '@garantia/shared/evidence/formats'
import { bytes, dateTime, duration } from '@garantia/shared/format'
import {
  contentWidth,
  ensureSpace,
  FONT,
  GREY,
  heading,
  INK,
  LINE,
  MARGIN,
  PALE,
  printable,
  type ReportDocument,
} from './report-document.ts'

type PackagedFile = DossierBuild['files'][number]
const PICTURE = { width: 168, height: 126 }
const GAP = 14

/** One entry per file of the package: picture, name in the package, and its hashes. */
export async function filePages(
  doc: ReportDocument,
  { files }: DossierBuild,
  pictureOf: (evidence_id: number) => Promise<Buffer | null>,
) {
  // Keeps the heading on one page with the first file.
  ensureSpace(doc, PICTURE.height + 60)
  heading(doc, `Arquivos (${files.length})`)
  if (files.length === 0)
    doc.font(FONT.text).fontSize(10).fillColor(GREY).text('Nenhum arquivo convertido.', MARGIN, doc.y)
  for (const [place, file] of files.entries()) {
    const words = captionOf(file)
    const height = Math.max(PICTURE.height, wordsHeight(doc, words)) + GAP
    ensureSpace(doc, height)
    const y = doc.y
    drawPicture(doc, y, file, await pictureOf(file.row.id))
    writeCaption(doc, y, `${place + 1}. `, words)
    doc.y = y + height
  }
}

function drawPicture(doc: ReportDocument, y: number, { row }: PackagedFile, picture: Buffer | null) {
  const { width, height } = PICTURE
  doc.rect(MARGIN, y, width, height).fillAndStroke(PALE, LINE)
  if (picture)
    doc.image(picture, MARGIN + 1, y + 1, {
      fit: [width - 2, height - 2],
      align: 'center',
      valign: 'center',
    })
  else
    doc
      .font(FONT.text)
      .fontSize(9)
      .fillColor(GREY)
      .text(FILE_TYPE_LABEL[row.file_type], MARGIN, y + height / 2 - 5, { width, align: 'center' })
}

const left = MARGIN + PICTURE.width + GAP
const wordsWidth = (doc: ReportDocument) => contentWidth(doc) - PICTURE.width - GAP

interface CaptionLine {
  font: string
  size: number
  colour: string
  text: string
  gap: number
}
function captionOf({ name, size, sha256, row }: PackagedFile): CaptionLine[] {
  const title = row.evidence_category ? EVIDENCE_CATEGORY[row.evidence_category] : 'Sem categoria'
  const shape = [
    bytes(size),
    row.width && row.height ? `${row.width} × ${row.height}` : null,
    row.duration_seconds === null ? null : duration(row.duration_seconds),
    row.pages ? `${row.pages} páginas` : null,
  ]
  const grey = (text: string, gap = 2): CaptionLine => ({
    font: FONT.text,
    size: 8.5,
    colour: GREY,
    text,
    gap,
  })
  const hash = (label: string, value: string): CaptionLine[] => [
    grey(label, 0),
    { font: FONT.mono, size: 7.2, colour: INK, text: value, gap: 3 },
  ]
  return [
    { font: FONT.bold, size: 10.5, colour: INK, text: title, gap: 2 },
    ...(row.description ? [{ font: FONT.text, size: 9.5, colour: INK, text: row.description, gap: 3 }] : []),
    { font: FONT.text, size: 9, colour: INK, text: name, gap: 2 },
    grey(shape.filter((one) => one !== null).join(' · ')),
    grey(
      `Recebido em ${dateTime(row.uploaded_at)}${row.captured_at ? ` · capturado em ${dateTime(row.captured_at)}` : ''}`,
      4,
    ),
    ...hash('SHA-256 deste arquivo', sha256),
    ...hash(`SHA-256 do original, ${row.original_filename} (${bytes(row.file_size)})`, row.sha256),
  ]
}

const wordsHeight = (doc: ReportDocument, words: readonly CaptionLine[]) =>
  words.reduce(
    (sum, { font, size, text, gap }) =>
      sum +
      doc
        .font(font)
        .fontSize(size)
        .heightOfString(printable(text), { width: wordsWidth(doc) }) +
      gap,
    12,
  )

function writeCaption(doc: ReportDocument, y: number, number: string, words: readonly CaptionLine[]) {
  doc.y = y
  for (const [place, { font, size, colour, text, gap }] of words.entries()) {
    doc.font(font).fontSize(size).fillColor(colour)
    doc.text(printable(place === 0 ? number + text : text), left, doc.y, { width: wordsWidth(doc) })
    doc.y += gap
  }
}
