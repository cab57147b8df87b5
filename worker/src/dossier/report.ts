import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { DossierBuild } from '@garantia/server/features/records/dossier'
import { formatCnpj } from '@garantia/shared/br/tax-id'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { brl, bytes, counted, date, dateTime, integer } from '@garantia/shared/format'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import {
  addPageNumbers,
  contentWidth,
  createReportDocument,
  ensureSpace,
  FONT,
  GREEN,
  GREY,
  heading,
  INK,
  LINE,
  MARGIN,
  PALE,
  printable,
  RED,
  type ReportDocument,
} from './report-document.ts'
import { filePages } from './report-files.ts'

/** Returns a small JPEG of a file, or null when it has none. */
export type PictureOf = (evidence_id: number) => Promise<Buffer | null>

/**
 * Writes a dossier's report as PDF: order data, the brand's requirements, every file with its hashes, the
 * seal.
 */
export async function writeReport(
  building: DossierBuild,
  pictureOf: PictureOf,
  path: string,
  sealed_at: Date,
) {
  const { order, n, brand } = building
  const title = `Dossiê ${n} da OS ${order.os_number}`
  const doc = createReportDocument(title, sealed_at)
  const written = pipeline(doc, createWriteStream(path))
  written.catch(() => undefined)
  cover(doc, building, sealed_at)
  facts(doc, building)
  narrativeSection(doc, building)
  checklist(doc, building)
  await filePages(doc, building, pictureOf)
  verificationSection(doc, building)
  addPageNumbers(doc, `${title} · ${brand.display_name} · ${order.company}`)
  doc.end()
  await written
}

function cover(doc: ReportDocument, { order, n, actor, brand }: DossierBuild, sealed_at: Date) {
  doc.rect(0, 0, doc.page.width, 6).fill(RED)
  doc.font(FONT.bold).fontSize(9).fillColor(RED)
  doc.text('DOSSIÊ DE EVIDÊNCIAS', MARGIN, MARGIN - 8, { characterSpacing: 1.2 })
  doc.y += 4
  doc.font(FONT.bold).fontSize(24).fillColor(INK).text(`OS ${order.os_number}`, { characterSpacing: 0 })
  doc
    .font(FONT.text)
    .fontSize(11)
    .fillColor(GREY)
    .text(printable(`${brand.display_name} · ${order.company} · ${ORDER_STATUS[order.status].label}`))
  doc.y += 2
  doc
    .fontSize(9)
    .text(printable(`Versão ${n}, selada em ${dateTime(sealed_at)} (horário de Brasília) por ${actor}`))
}

const orNone = (value: string | number | null | undefined) =>
  value === null || value === undefined || value === '' ? '–' : String(value)

function facts(doc: ReportDocument, { order }: DossierBuild) {
  heading(doc, 'Dados da ordem de serviço')
  const rows: [string, string][] = [
    ['Modelo', orNone([order.vehicle_model, order.vehicle_year].filter(Boolean).join(' · '))],
    ['Cor', orNone(order.vehicle_color)],
    ['Chassi', orNone(order.vehicle_chassis)],
    ['Placa', order.vehicle_plate ? formatPlate(order.vehicle_plate) : '–'],
    ['Quilometragem', order.vehicle_mileage === null ? '–' : `${integer(order.vehicle_mileage)} km`],
    ['Cliente', orNone(order.customer_name)],
    ['Concessionária', order.company],
    ['CNPJ', formatCnpj(order.company_tax_id)],
    ['Técnico', orNone(order.technician_name)],
    ['Abertura', date(order.opened_at)],
    ['Conclusão', order.completed_at ? date(order.completed_at) : '–'],
    [
      'Valor total',
      `${brl(order.total_value)} (serviço ${brl(order.service_value ?? 0)}, peças ${brl(order.parts_value ?? 0)})`,
    ],
  ]
  const column = contentWidth(doc) / 2
  for (let row = 0; row < rows.length; row += 2) {
    const pair = rows.slice(row, row + 2)
    const height = Math.max(...pair.map(([, value]) => valueHeight(doc, value, column))) + 15
    ensureSpace(doc, height)
    const y = doc.y
    pair.forEach(([label, value], place) => {
      const x = MARGIN + place * column
      doc.font(FONT.text).fontSize(8).fillColor(GREY).text(label, x, y)
      doc.font(FONT.text).fontSize(10).fillColor(INK)
      doc.text(printable(value), x, y + 10, { width: column - 12 })
    })
    doc.y = y + height
  }
}
const valueHeight = (doc: ReportDocument, value: string, column: number) =>
  doc
    .font(FONT.text)
    .fontSize(10)
    .heightOfString(printable(value), { width: column - 12 })

function narrativeSection(doc: ReportDocument, { order }: DossierBuild) {
  const parts: [string, string | null][] = [
    ['Problema relatado', order.problem_description],
    ['Diagnóstico', order.diagnosis],
    ['Solução aplicada', order.solution_applied],
    ['Peças substituídas', order.parts_replaced],
  ]
  const filled = parts.filter((part): part is [string, string] => Boolean(part[1]))
  if (filled.length === 0) return
  heading(doc, 'Relato')
  for (const [label, text] of filled) {
    ensureSpace(doc, 34)
    doc
      .font(FONT.bold)
      .fontSize(9)
      .fillColor(INK)
      .text(label, MARGIN, doc.y, { width: contentWidth(doc) })
    doc.font(FONT.text).fontSize(10).fillColor(INK)
    doc.text(printable(text), { width: contentWidth(doc), lineGap: 1.5 })
    doc.y += 6
  }
}

/** The brand's categories with the number of files of each, then the open errors of the validation. */
function checklist(doc: ReportDocument, { brand, files, left_out, checks }: DossierBuild) {
  heading(doc, `Exigido por ${printable(brand.display_name)}`)
  const rows = brand.required_categories.map(({ category, min }) => {
    const have = files.filter(({ row }) => row.evidence_category === category).length
    return { ok: have >= min, words: `${EVIDENCE_CATEGORY[category]}: ${have} de ${min}` }
  })
  const open = checks
    .filter(({ ok, severity, code }) => !ok && severity === 'error' && code !== 'V02')
    .map(({ message }) => message)
  if (rows.length === 0) checklistLine(doc, null, 'A marca não exige categorias.')
  for (const { ok, words } of rows) checklistLine(doc, ok, words)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  checklistLine(
    doc,
    null,
    `Pacote: ${counted(files.length, 'arquivo', 'arquivos')}, ${bytes(total)}; a marca aceita até ${bytes(brand.max_file_size_mb * 1_000_000)} e ${integer(brand.max_evidence_count)} arquivos.`,
  )
  for (const message of open) checklistLine(doc, false, message)
  for (const { original_filename } of left_out)
    checklistLine(doc, false, `Não incluído, pois não foi convertido: ${original_filename}`)
}

function checklistLine(doc: ReportDocument, ok: boolean | null, words: string) {
  ensureSpace(doc, 16)
  const y = doc.y
  if (ok === true)
    doc
      .moveTo(MARGIN + 1, y + 5)
      .lineTo(MARGIN + 4, y + 8)
      .lineTo(MARGIN + 10, y + 1)
      .lineWidth(1.6)
      .stroke(GREEN)
  else if (ok === false)
    doc
      .moveTo(MARGIN + 2, y + 1)
      .lineTo(MARGIN + 9, y + 8)
      .moveTo(MARGIN + 9, y + 1)
      .lineTo(MARGIN + 2, y + 8)
      .lineWidth(1.6)
      .stroke(RED)
  doc.font(FONT.text).fontSize(10).fillColor(INK)
  doc.text(printable(words), MARGIN + 18, y, { width: contentWidth(doc) - 18 })
  doc.y += 4
}

function verificationSection(doc: ReportDocument, { head, order }: DossierBuild) {
  ensureSpace(doc, 150)
  heading(doc, 'Como conferir')
  const instructions = [
    'Cada arquivo deste dossiê tem o seu SHA-256 no manifesto.json e em SHA256SUMS. Na pasta extraída do ZIP, o comando «sha256sum -c SHA256SUMS» confere todos.',
    'O SHA-256 do original é o do arquivo como saiu do aparelho; ele nunca é alterado.',
    'A trilha de eventos da OS é encadeada: cada evento leva o hash do anterior. O último no momento do selo está abaixo. «npm run worker -- verificar-cadeia --manifesto manifesto.json» mostra se a trilha foi alterada ou cortada depois disso.',
  ]
  doc.font(FONT.text).fontSize(9.5).fillColor(INK)
  for (const text of instructions) {
    doc.text(text, MARGIN, doc.y, { width: contentWidth(doc), lineGap: 1.5 })
    doc.y += 4
  }
  const y = doc.y + 4
  doc.roundedRect(MARGIN, y, contentWidth(doc), 40, 3).fillAndStroke(PALE, LINE)
  doc.font(FONT.bold).fontSize(9).fillColor(INK)
  doc.text(`Evento ${head.seq} da OS ${order.os_number}`, MARGIN + 10, y + 8)
  doc
    .font(FONT.mono)
    .fontSize(9)
    .fillColor(INK)
    .text(head.hash, MARGIN + 10, y + 22)
}
