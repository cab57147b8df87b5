import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'
import PDFDocument from 'pdfkit'

/** Dimensions (in points), colours and fonts shared by all pages of the report. */
export const MARGIN = 42
export const RED = '#D92534'
export const INK = '#1C2127'
export const GREY = '#5F6B7C'
export const LINE = '#D3D8DE'
export const PALE = '#F6F7F9'
export const GREEN = '#1C6E42'

export type ReportDocument = PDFKit.PDFDocument
export const FONT = { text: 'Inter', bold: 'Inter-Bold', mono: 'Courier' } as const

const { resolve } = createRequire(import.meta.url)
const fileOf = (name: string) => resolve(`@expo-google-fonts/inter/${name}.ttf`)
const TEXT_FILE = fileOf('400Regular/Inter_400Regular')
const BOLD_FILE = fileOf('700Bold/Inter_700Bold')

/** An A4 document with Inter embedded: the standard PDF fonts have only the glyphs of Western Europe. */
export function createReportDocument(title: string, at: Date): ReportDocument {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, bottom: MARGIN + 18, left: MARGIN, right: MARGIN },
    bufferPages: true,
    lang: 'pt-BR',
    displayTitle: true,
    info: { Title: title, Creator: 'Garantia', Producer: 'Garantia', CreationDate: at },
  })
  return doc.registerFont(FONT.text, TEXT_FILE).registerFont(FONT.bold, BOLD_FILE)
}

export const contentWidth = (doc: ReportDocument) => doc.page.width - 2 * MARGIN
export const bottomOf = (doc: ReportDocument) => doc.page.height - MARGIN - 18

let textFont: Font | undefined
/** Characters the font has no glyph for (emoji, Chinese, control characters) become a question mark. */
export function printable(text: string) {
  textFont ??= openSync(TEXT_FILE) as Font
  const known = textFont
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\n\x20-\x7e]/gu, (character) =>
      /\p{C}/u.test(character) || !known.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
        ? '?'
        : character,
    )
}

/** Starts a new page when less than `height` points are left on this one. */
export function ensureSpace(doc: ReportDocument, height: number) {
  if (doc.y + height > bottomOf(doc)) doc.addPage()
}

export function heading(doc: ReportDocument, text: string) {
  ensureSpace(doc, 60)
  doc.y += 14
  doc
    .font(FONT.bold)
    .fontSize(12.5)
    .fillColor(INK)
    .text(text, MARGIN, doc.y, { width: contentWidth(doc) })
  const y = doc.y + 3
  doc
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + contentWidth(doc), y)
    .lineWidth(0.8)
    .stroke(LINE)
  doc.y = y + 8
}

/** Writes `words` and the page number at the foot of every page; to be called once all pages exist. */
export function addPageNumbers(doc: ReportDocument, words: string) {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Below the bottom margin, where text would otherwise start a new page.
    doc.page.margins.bottom = 0
    const y = doc.page.height - MARGIN
    doc.font(FONT.text).fontSize(8).fillColor(GREY)
    doc.text(printable(words), MARGIN, y, { width: contentWidth(doc) - 90, lineBreak: false })
    doc.text(`Página ${page - start + 1} de ${count}`, MARGIN, y, {
      width: contentWidth(doc),
      align: 'right',
    })
  }
}
