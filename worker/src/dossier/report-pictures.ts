import type { DossierBuild } from '@garantia/server/features/records/dossier'
import { type Picture, placePicture } from './picture-layout.ts'
import {
  contentArea,
  contentWidth,
  ensureSpace,
  GREY,
  heading,
  LINE,
  linesHeight,
  MARGIN,
  PALE,
  pageNumber,
  type ReportDocument,
  rule,
  startPage,
  textAt,
  writeLines,
} from './report-document.ts'
import { captionOf, type Line, type NumberedFile } from './words.ts'

/** Returns a JPEG of a file, or null when it has none. */
export type PictureOf = (evidence_id: number) => Promise<Picture | null>

const BETWEEN = 20
const GAP = 10
/** Stands where a picture should be; points. */
const PLACEHOLDER = { width: 320, height: 200 }

/** Two files a page with their captions. Calls `onFile` with the page of each. */
export async function picturePages(
  doc: ReportDocument,
  files: readonly NumberedFile[],
  people: DossierBuild['people'],
  pictureOf: PictureOf,
  onFile: (file: NumberedFile, page: number) => void,
) {
  startPage(doc)
  const area = contentArea(doc)
  const slot = (area.height - BETWEEN) / 2
  let y = area.y
  for (const file of files) {
    const picture = await pictureOf(file.row.id)
    const lines = captionOf(file, people)
    const place = (height: number, top: number) =>
      placePicture(
        { x: area.x, y: top, width: area.width, height },
        picture ?? PLACEHOLDER,
        (width) => linesHeight(doc, lines, width),
        GAP,
      )
    const height = place(slot, y) ? slot : area.height
    if (y + height > area.y + area.height + 0.5) {
      doc.addPage()
      y = area.y
    }
    const at = place(height, y)
    if (!at) throw new Error('A caption does not fit on a page')
    onFile(file, pageNumber(doc))
    if (picture) doc.image(picture.data, at.picture.x, at.picture.y, at.picture)
    else placeholder(doc, at.picture)
    writeLines(doc, lines, at.caption)
    y += height + BETWEEN
  }
  // What follows begins on a page of its own.
  doc.y = area.y + area.height
}

function placeholder(
  doc: ReportDocument,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
) {
  doc.rect(x, y, width, height).lineWidth(0.6).fillAndStroke(PALE, LINE)
  const words = 'Sem imagem: abra o arquivo do pacote.'
  const box = { x: x + 12, y: y + height / 2 - 6, width: width - 24 }
  textAt(doc, words, box, { size: 9, colour: GREY })
}

/** Files without a picture, named with what is known of them. */
export function documentList(
  doc: ReportDocument,
  files: readonly NumberedFile[],
  people: DossierBuild['people'],
) {
  heading(doc, 'Documentos')
  const width = contentWidth(doc)
  for (const [place, file] of files.entries()) {
    const lines: Line[] = captionOf(file, people)
    const height = linesHeight(doc, lines, width)
    ensureSpace(doc, height + 16)
    if (place > 0) rule(doc, doc.y - 8)
    const { y } = doc
    writeLines(doc, lines, { x: MARGIN, y, width })
    doc.y = y + height + 16
  }
}
