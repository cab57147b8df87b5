import { fileURLToPath } from 'node:url'
import { type Font, openSync } from 'fontkit'
import PDFDocument from 'pdfkit'

/** What every page of the report shares: measures, colours and letters. */
export const MARGIN = 42
export const RED = '#D92534'
export const INK = '#1C2127'
export const GREY = '#5F6B7C'
export const LINE = '#D3D8DE'
export const PALE = '#F6F7F9'
export const GREEN = '#1C6E42'

export type Paper = PDFKit.PDFDocument
export const FONT = { text: 'Inter', bold: 'Inter-Bold', mono: 'Courier' } as const

const fileOf = (name: string) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${name}.ttf`))
const TEXT_FILE = fileOf('400Regular/Inter_400Regular')
const BOLD_FILE = fileOf('700Bold/Inter_700Bold')

/** A page in the letters of people's names: the fonts every PDF reader has know only those of Western Europe. */
export function newPaper(title: string, at: Date): Paper {
  const paper = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, bottom: MARGIN + 18, left: MARGIN, right: MARGIN },
    bufferPages: true,
    lang: 'pt-BR',
    displayTitle: true,
    info: { Title: title, Creator: 'Garantia', Producer: 'Garantia', CreationDate: at },
  })
  return paper.registerFont(FONT.text, TEXT_FILE).registerFont(FONT.bold, BOLD_FILE)
}

export const widthOf = (paper: Paper) => paper.page.width - 2 * MARGIN
export const bottomOf = (paper: Paper) => paper.page.height - MARGIN - 18

let letters: Font | undefined
/** What the font cannot write (emoji, Chinese, control characters) becomes a question mark. */
export function printable(text: string) {
  letters ??= openSync(TEXT_FILE) as Font
  const known = letters
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\n\x20-\x7e]/gu, (letter) =>
      /\p{C}/u.test(letter) || !known.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0) ? '?' : letter,
    )
}

/** Leaves for the next page when there is not so much room. */
export function keepRoom(paper: Paper, height: number) {
  if (paper.y + height > bottomOf(paper)) paper.addPage()
}

export function heading(paper: Paper, text: string) {
  keepRoom(paper, 60)
  paper.y += 14
  paper
    .font(FONT.bold)
    .fontSize(12.5)
    .fillColor(INK)
    .text(text, MARGIN, paper.y, { width: widthOf(paper) })
  const y = paper.y + 3
  paper
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + widthOf(paper), y)
    .lineWidth(0.8)
    .stroke(LINE)
  paper.y = y + 8
}

/** Number of the page and of what, on every page, when the number of pages is known. */
export function signPages(paper: Paper, words: string) {
  const { start, count } = paper.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    paper.switchToPage(page)
    // Below the margin, where text would otherwise start a page of its own.
    paper.page.margins.bottom = 0
    const y = paper.page.height - MARGIN
    paper.font(FONT.text).fontSize(8).fillColor(GREY)
    paper.text(printable(words), MARGIN, y, { width: widthOf(paper) - 90, lineBreak: false })
    paper.text(`Página ${page - start + 1} de ${count}`, MARGIN, y, { width: widthOf(paper), align: 'right' })
  }
}
