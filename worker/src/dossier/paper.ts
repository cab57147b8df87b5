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
export const FONT = { text: 'Helvetica', bold: 'Helvetica-Bold', mono: 'Courier' } as const

export const newPaper = (title: string, at: Date): Paper =>
  new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, bottom: MARGIN + 18, left: MARGIN, right: MARGIN },
    bufferPages: true,
    lang: 'pt-BR',
    displayTitle: true,
    info: { Title: title, Creator: 'Garantia', Producer: 'Garantia', CreationDate: at },
  })

export const widthOf = (paper: Paper) => paper.page.width - 2 * MARGIN
export const bottomOf = (paper: Paper) => paper.page.height - MARGIN - 18

/** The letters of the built-in fonts; what they lack (emoji, other scripts) becomes a question mark. */
export const printable = (text: string) =>
  text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\n\x20-\x7e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u20ac]/gu, '?')

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
