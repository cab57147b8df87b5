import PDFDocument from 'pdfkit'
import { breakable, FONT_FILE, printable, shortened, type Weight } from './fonts.ts'
import type { Line } from './words.ts'

/** Dimensions (in points), colours and fonts shared by all pages of the report. */
export const MARGIN = 48
/** Room for the header and the footer of a page. */
const TOP = 72
const BOTTOM = 56
export const RED = '#D92534'
export const INK = '#1C2127'
export const GREY = '#5F6B7C'
export const LINE = '#D3D8DE'
export const PALE = '#F6F7F9'
export const GREEN = '#1C6E42'

export type ReportDocument = PDFKit.PDFDocument
export const FONT = { text: 'Inter', bold: 'Inter-Bold', mono: 'Courier' } as const

/** An A4 document with Inter embedded: the standard PDF fonts have only the glyphs of Western Europe. */
export function createReportDocument(title: string, at: Date): ReportDocument {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: TOP, bottom: BOTTOM, left: MARGIN, right: MARGIN },
    bufferPages: true,
    lang: 'pt-BR',
    displayTitle: true,
    info: { Title: title, Creator: 'Garantia', Producer: 'Garantia', CreationDate: at },
  })
  return doc.registerFont(FONT.text, FONT_FILE.text).registerFont(FONT.bold, FONT_FILE.bold)
}

export const contentWidth = (doc: ReportDocument) => doc.page.width - 2 * MARGIN
export const bottomOf = (doc: ReportDocument) => doc.page.height - BOTTOM
/** Where pictures stand: all of a page between header and footer. */
export const contentArea = (doc: ReportDocument) => ({
  x: MARGIN,
  y: TOP,
  width: contentWidth(doc),
  height: bottomOf(doc) - TOP,
})

/** Starts a new page when less than `height` points are left on this one. */
export function ensureSpace(doc: ReportDocument, height: number) {
  if (doc.y + height > bottomOf(doc)) doc.addPage()
}
/** Starts a new page, unless nothing stands on this one yet. */
export function startPage(doc: ReportDocument) {
  if (doc.y > TOP) doc.addPage()
}

/** Number of the page that is written last, from 1. */
export const pageNumber = (doc: ReportDocument) => {
  const { start, count } = doc.bufferedPageRange()
  return start + count
}

export function heading(doc: ReportDocument, text: string) {
  ensureSpace(doc, 72)
  if (doc.y > TOP) doc.y += 16
  const words = printable(text)
  doc
    .font(FONT.bold)
    .fontSize(14)
    .fillColor(INK)
    .text(words, MARGIN, doc.y, { width: contentWidth(doc) })
  const y = doc.y + 5
  rule(doc, y)
  doc.y = y + 10
}

/** A thin line across the page; nothing may be written nearer than 3 points to it. */
export const rule = (doc: ReportDocument, y: number, x = MARGIN, width = contentWidth(doc)) =>
  doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.6)
    .stroke(LINE)

interface Style {
  size: number
  weight?: Weight
  colour?: string
  align?: 'left' | 'right'
}
/** Writes a text that ends on this page; returns its height. */
export function textAt(
  doc: ReportDocument,
  text: string,
  { x, y, width }: { x: number; y: number; width: number },
  { size, weight = 'text', colour = INK, align = 'left' }: Style,
) {
  doc.font(FONT[weight]).fontSize(size).fillColor(colour)
  const words = breakable(text, width, size, weight)
  const height = doc.heightOfString(words, { width })
  const { margins } = doc.page
  const { bottom } = margins
  // Its place was measured: rounding must not send the last line to the next page.
  margins.bottom = 0
  doc.text(words, x, y, { width, align })
  margins.bottom = bottom
  return height
}
/** The height that the text will have. */
export const textHeight = (
  doc: ReportDocument,
  text: string,
  width: number,
  { size, weight = 'text' }: Pick<Style, 'size' | 'weight'>,
) =>
  doc
    .font(FONT[weight])
    .fontSize(size)
    .heightOfString(breakable(text, width, size, weight), { width })

export const linesHeight = (doc: ReportDocument, lines: readonly Line[], width: number) =>
  lines.reduce((sum, line) => sum + textHeight(doc, line.text, width, line) + line.gap, 0)

/** Writes lines one below the other. */
export function writeLines(
  doc: ReportDocument,
  lines: readonly Line[],
  { x, y, width }: { x: number; y: number; width: number },
) {
  let below = y
  for (const { text, size, weight, isGrey, gap } of lines)
    below += textAt(doc, text, { x, y: below, width }, { size, weight, colour: isGrey ? GREY : INK }) + gap
}

/** A paragraph over the whole width, which may go on on the next page. */
export function paragraph(doc: ReportDocument, text: string, size = 10) {
  doc.font(FONT.text).fontSize(size).fillColor(INK)
  const width = contentWidth(doc)
  doc.text(breakable(text, width, size), MARGIN, doc.y, { width, lineGap: 1.5 })
  doc.y += 5
}

const SMALL = 8
/** Writes header and footer of every page; to be called once all pages exist. The cover has no header. */
export function addPageFrames(doc: ReportDocument, header: { left: string; right: string }, footer: string) {
  const { start, count } = doc.bufferedPageRange()
  const width = contentWidth(doc)
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Outside of the margins, where text would otherwise start a new page.
    doc.page.margins.top = 0
    doc.page.margins.bottom = 0
    if (page > start) frameLine(doc, header.left, header.right, 36)
    if (page > start) rule(doc, 52)
    frameLine(doc, footer, `página ${page - start + 1} de ${count}`, doc.page.height - 36)
  }
  function frameLine(doc: ReportDocument, left: string, right: string, y: number) {
    doc.font(FONT.text).fontSize(SMALL).fillColor(GREY)
    const words = printable(right)
    const room = width - doc.widthOfString(words) - 16
    doc.text(shortened(printable(left), room, SMALL), MARGIN, y, { lineBreak: false })
    doc.text(words, MARGIN, y, { width, align: 'right', lineBreak: false })
  }
}
