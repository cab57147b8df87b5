import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { DossierBuild, Preparation } from '@garantia/server/features/records/dossier'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { brl, date, dateTime, integer } from '@garantia/shared/format'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import type { Picture } from './picture-layout.ts'
import { type ContentsEntry, coverHead, reserveContents, writeContents } from './report-cover.ts'
import { custodySection } from './report-custody.ts'
import {
  addPageFrames,
  contentWidth,
  createReportDocument,
  ensureSpace,
  GREY,
  heading,
  MARGIN,
  pageNumber,
  paragraph,
  type ReportDocument,
  startPage,
  textAt,
  textHeight,
} from './report-document.ts'
import { documentList, type PictureOf, picturePages } from './report-pictures.ts'
import { coverProof, proofSection } from './report-proof.ts'
import { historySection, requirements, signatures, verification } from './report-sections.ts'
import { categoryOf, contentsOf, readingOrder } from './words.ts'

export type { PictureOf } from './report-pictures.ts'

/** With more files than this the report begins with a table of contents. */
const SHORT = 8

/**
 * Writes a dossier's report as PDF: who hands it over, order data, the brand's requirements, every file, the
 * history, the way of each file, and at the end the hashes with how to check them.
 */
export async function writeReport(
  building: DossierBuild,
  prepared: Preparation,
  { pictureOf, logo }: { pictureOf: PictureOf; logo: Picture | null },
  path: string,
) {
  const { sealed_at } = prepared
  const { order, n, brand, files, people } = building
  const title = `Dossiê ${n} da OS ${order.os_number}`
  const doc = createReportDocument(title, sealed_at)
  const written = pipeline(doc, createWriteStream(path))
  written.catch(() => undefined)
  const entries: ContentsEntry[] = []
  const section = (label: string, level: 0 | 1 = 0) => entries.push({ label, page: pageNumber(doc), level })

  coverHead(doc, building, logo)
  coverProof(doc, prepared)
  facts(doc, building, sealed_at)
  const { shown, documents } = readingOrder(building)
  const contents = files.length > SHORT ? reserveContents(doc, 6 + new Set(shown.map(categoryOf)).size) : null
  ensureSpace(doc, 100)
  section('Relato e exigências da marca')
  narrative(doc, building)
  requirements(doc, building)
  if (shown.length > 0) {
    let last = ''
    startPage(doc)
    section('Fotos e vídeos')
    await picturePages(doc, shown, people, pictureOf, (file, page) => {
      const label = categoryOf(file)
      if (label !== last) entries.push({ label, page, level: 1 })
      last = label
    })
  }
  if (documents.length > 0) {
    ensureSpace(doc, 100)
    section('Documentos')
    documentList(doc, documents, people)
  }
  ensureSpace(doc, 100)
  section('Histórico')
  historySection(doc, building)
  signatures(doc, building)
  if (files.length > 0) {
    startPage(doc)
    section('Cadeia de custódia')
    custodySection(doc, building, prepared, [...shown, ...documents])
  }
  startPage(doc)
  section('Conferência dos arquivos')
  proofSection(doc, prepared)
  verification(doc, building, [...shown, ...documents])
  if (contents) writeContents(doc, contents, entries)
  addPageFrames(
    doc,
    { left: `OS ${order.os_number} · ${brand.display_name} · ${order.company}`, right: `Dossiê ${n}` },
    `Dossiê ${n} da OS ${order.os_number}, concluído em ${dateTime(sealed_at)}`,
  )
  doc.end()
  await written
}

const orNone = (value: string | number | null | undefined) =>
  value === null || value === undefined || value === '' ? 'não informado' : String(value)

/** The order in two columns, then what the package contains. */
function facts(doc: ReportDocument, { order, files, n, actor }: DossierBuild, sealed_at: Date) {
  const rows: [string, string][] = [
    ['Veículo', orNone([order.vehicle_model, order.vehicle_year].filter(Boolean).join(' · '))],
    ['Cor', orNone(order.vehicle_color)],
    ['Chassi', orNone(order.vehicle_chassis)],
    ['Placa', order.vehicle_plate ? formatPlate(order.vehicle_plate) : 'não informada'],
    [
      'Quilometragem',
      order.vehicle_mileage === null ? 'não informada' : `${integer(order.vehicle_mileage)} km`,
    ],
    ['Cliente', orNone(order.customer_name)],
    ['Técnico', orNone(order.technician_name)],
    ['Situação da OS', ORDER_STATUS[order.status].label],
    ['Abertura', date(order.opened_at)],
    ['Conclusão', order.completed_at ? date(order.completed_at) : 'em aberto'],
    ['Valor do serviço', brl(order.service_value ?? 0)],
    ['Valor das peças', brl(order.parts_value ?? 0)],
    ['Valor total', brl(order.total_value)],
    ['Conteúdo', contentsOf(files)],
    ['Versão do dossiê', `${n}, concluída em ${dateTime(sealed_at)} (horário de Brasília)`],
    ['Gerado por', actor],
  ]
  const width = contentWidth(doc) / 2 - 12
  for (let row = 0; row < rows.length; row += 2) {
    const pair = rows.slice(row, row + 2)
    const height = Math.max(...pair.map(([, value]) => textHeight(doc, value, width, { size: 10.5 }))) + 24
    ensureSpace(doc, height)
    const { y } = doc
    for (const [place, [label, value]] of pair.entries()) {
      const x = MARGIN + place * (width + 24)
      textAt(doc, label, { x, y, width }, { size: 8, colour: GREY })
      textAt(doc, value, { x, y: y + 12, width }, { size: 10.5 })
    }
    doc.y = y + height
  }
}

function narrative(doc: ReportDocument, { order }: DossierBuild) {
  const parts: [string, string | null][] = [
    ['Problema relatado', order.problem_description],
    ['Diagnóstico', order.diagnosis],
    ['Solução aplicada', order.solution_applied],
    ['Peças substituídas', order.parts_replaced],
  ]
  const filled = parts.filter((part): part is [string, string] => Boolean(part[1]))
  heading(doc, 'Relato')
  if (filled.length === 0) paragraph(doc, 'A ordem de serviço não tem relato.')
  for (const [label, text] of filled) {
    ensureSpace(doc, 40)
    const box = { x: MARGIN, y: doc.y, width: contentWidth(doc) }
    doc.y = box.y + textAt(doc, label, box, { size: 9.5, weight: 'bold' }) + 2
    paragraph(doc, text)
    doc.y += 3
  }
}
