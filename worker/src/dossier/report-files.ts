import type { Building } from '@garantia/server/features/records/dossier'
import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { FILE_TYPE_LABEL } from '@garantia/shared/evidence/formats'
import { bytes, dateTime, duration } from '@garantia/shared/format'
import {
  FONT,
  GREY,
  heading,
  INK,
  keepRoom,
  LINE,
  MARGIN,
  PALE,
  type Paper,
  printable,
  widthOf,
} from './paper.ts'

type PackagedFile = Building['files'][number]
const PICTURE = { width: 168, height: 126 }
const GAP = 14

/** Every file of the package: what it shows, what it is called there, and what proves it. */
export async function filePages(
  paper: Paper,
  { files }: Building,
  pictureOf: (evidence_id: number) => Promise<Buffer | null>,
) {
  // A heading never stands alone at the foot of a page.
  keepRoom(paper, PICTURE.height + 60)
  heading(paper, `Arquivos (${files.length})`)
  if (files.length === 0)
    paper.font(FONT.text).fontSize(10).fillColor(GREY).text('Nenhum arquivo convertido.', MARGIN, paper.y)
  for (const [place, file] of files.entries()) {
    const words = wordsOf(file)
    const height = Math.max(PICTURE.height, wordsHeight(paper, words)) + GAP
    keepRoom(paper, height)
    const y = paper.y
    drawPicture(paper, y, file, await pictureOf(file.row.id))
    writeWords(paper, y, `${place + 1}. `, words)
    paper.y = y + height
  }
}

function drawPicture(paper: Paper, y: number, { row }: PackagedFile, picture: Buffer | null) {
  const { width, height } = PICTURE
  paper.rect(MARGIN, y, width, height).fillAndStroke(PALE, LINE)
  if (picture)
    paper.image(picture, MARGIN + 1, y + 1, {
      fit: [width - 2, height - 2],
      align: 'center',
      valign: 'center',
    })
  else
    paper
      .font(FONT.text)
      .fontSize(9)
      .fillColor(GREY)
      .text(FILE_TYPE_LABEL[row.file_type], MARGIN, y + height / 2 - 5, { width, align: 'center' })
}

const left = MARGIN + PICTURE.width + GAP
const wordsWidth = (paper: Paper) => widthOf(paper) - PICTURE.width - GAP

interface Word {
  font: string
  size: number
  colour: string
  text: string
  gap: number
}
function wordsOf({ name, size, sha256, row }: PackagedFile): Word[] {
  const title = row.evidence_category ? EVIDENCE_CATEGORY[row.evidence_category] : 'Sem categoria'
  const shape = [
    bytes(size),
    row.width && row.height ? `${row.width} × ${row.height}` : null,
    row.duration_seconds === null ? null : duration(row.duration_seconds),
    row.pages ? `${row.pages} páginas` : null,
  ]
  const grey = (text: string, gap = 2): Word => ({ font: FONT.text, size: 8.5, colour: GREY, text, gap })
  const hash = (label: string, value: string): Word[] => [
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

const wordsHeight = (paper: Paper, words: readonly Word[]) =>
  words.reduce(
    (sum, { font, size, text, gap }) =>
      sum +
      paper
        .font(font)
        .fontSize(size)
        .heightOfString(printable(text), { width: wordsWidth(paper) }) +
      gap,
    12,
  )

function writeWords(paper: Paper, y: number, number: string, words: readonly Word[]) {
  paper.y = y
  for (const [place, { font, size, colour, text, gap }] of words.entries()) {
    paper.font(font).fontSize(size).fillColor(colour)
    paper.text(printable(place === 0 ? number + text : text), left, paper.y, { width: wordsWidth(paper) })
    paper.y += gap
  }
}
