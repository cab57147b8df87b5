import type { DossierBuild } from '@garantia/server/features/records/dossier'
import { LOGO_GAP, logoSize, type Picture } from './picture-layout.ts'
import {
  contentWidth,
  ensureSpace,
  GREY,
  heading,
  MARGIN,
  pageNumber,
  RED,
  type ReportDocument,
  rule,
  textAt,
} from './report-document.ts'
import { companyLines } from './words.ts'

/** Dealership with address and, at the right, logo, then order and brand. */
export function coverHead(doc: ReportDocument, building: DossierBuild, logo: Picture | null) {
  const { order, brand, company } = building
  const size = logo && logoSize(logo)
  let width = contentWidth(doc) - (size ? size.width + LOGO_GAP : 0)
  const write = (text: string, style: Parameters<typeof textAt>[3], below: number) => {
    const { y } = doc
    doc.y = y + textAt(doc, text, { x: MARGIN, y, width }, style) + below
  }
  doc.y = MARGIN
  if (logo && size) doc.image(logo.data, MARGIN + width + LOGO_GAP, MARGIN, size)
  write(company.trading_name, { size: 18, weight: 'bold' }, 6)
  for (const line of companyLines(building)) write(line, { size: 9, colour: GREY }, 2)
  doc.y = Math.max(doc.y, MARGIN + (size?.height ?? 0)) + 8
  width = contentWidth(doc)
  doc.rect(MARGIN, doc.y, width, 2).fill(RED)
  doc.y += 36
  write('Dossiê de evidências de garantia', { size: 11, colour: RED, weight: 'bold' }, 6)
  write(`Ordem de serviço ${order.os_number}`, { size: 26, weight: 'bold' }, 4)
  write(brand.display_name, { size: 14, colour: GREY }, 28)
}

export interface ContentsEntry {
  label: string
  /** From 1. */
  page: number
  level: 0 | 1
}

const ROW = 19
/** Keeps room for a table of contents, whose page numbers are known at the end. */
export function reserveContents(doc: ReportDocument, rows: number) {
  const height = rows * ROW + 56
  ensureSpace(doc, height)
  const place = { page: pageNumber(doc), y: doc.y }
  doc.y += height
  return place
}

/** Writes the table of contents where room was kept for it. */
export function writeContents(
  doc: ReportDocument,
  { page: on, y: top }: ReturnType<typeof reserveContents>,
  entries: readonly ContentsEntry[],
) {
  doc.switchToPage(doc.bufferedPageRange().start + on - 1)
  doc.y = top
  heading(doc, 'Sumário')
  const width = contentWidth(doc)
  for (const [place, { label, page, level }] of entries.entries()) {
    const { y } = doc
    const x = MARGIN + level * 16
    const weight = level === 0 ? 'bold' : 'text'
    if (place > 0) rule(doc, y - 4)
    textAt(doc, label, { x, y, width: width - 80 }, { size: 9.5, weight })
    textAt(doc, String(page), { x: MARGIN + width - 60, y, width: 60 }, { size: 9.5, align: 'right' })
    doc.y = y + ROW
  }
}
