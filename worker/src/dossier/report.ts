import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Building } from '@garantia/server/features/records/dossier'
import { formatCnpj } from '@garantia/shared/br/tax-id'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { brl, bytes, counted, date, dateTime, integer } from '@garantia/shared/format'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import {
  FONT,
  GREEN,
  GREY,
  heading,
  INK,
  keepRoom,
  LINE,
  MARGIN,
  newPaper,
  PALE,
  type Paper,
  printable,
  RED,
  signPages,
  widthOf,
} from './paper.ts'
import { filePages } from './report-files.ts'

/** What the report shows of each file: a small JPEG, or nothing. */
export type PictureOf = (evidence_id: number) => Promise<Buffer | null>

/** The report of a dossier as PDF: the order, what the brand asks, every file with its hashes, the seal. */
export async function writeReport(building: Building, pictureOf: PictureOf, path: string, sealed_at: Date) {
  const { order, n, brand } = building
  const title = `Dossiê ${n} da OS ${order.os_number}`
  const paper = newPaper(title, sealed_at)
  const written = pipeline(paper, createWriteStream(path))
  written.catch(() => undefined)
  cover(paper, building, sealed_at)
  facts(paper, building)
  story(paper, building)
  checklist(paper, building)
  await filePages(paper, building, pictureOf)
  seal(paper, building)
  signPages(paper, `${title} · ${brand.display_name} · ${order.company}`)
  paper.end()
  await written
}

function cover(paper: Paper, { order, n, actor, brand }: Building, sealed_at: Date) {
  paper.rect(0, 0, paper.page.width, 6).fill(RED)
  paper.font(FONT.bold).fontSize(9).fillColor(RED)
  paper.text('DOSSIÊ DE EVIDÊNCIAS', MARGIN, MARGIN - 8, { characterSpacing: 1.2 })
  paper.y += 4
  paper.font(FONT.bold).fontSize(24).fillColor(INK).text(`OS ${order.os_number}`, { characterSpacing: 0 })
  paper
    .font(FONT.text)
    .fontSize(11)
    .fillColor(GREY)
    .text(printable(`${brand.display_name} · ${order.company} · ${ORDER_STATUS[order.status].label}`))
  paper.y += 2
  paper
    .fontSize(9)
    .text(printable(`Versão ${n}, selada em ${dateTime(sealed_at)} (horário de Brasília) por ${actor}`))
}

const orNone = (value: string | number | null | undefined) =>
  value === null || value === undefined || value === '' ? '–' : String(value)

function facts(paper: Paper, { order }: Building) {
  heading(paper, 'Dados da ordem de serviço')
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
  const column = widthOf(paper) / 2
  for (let row = 0; row < rows.length; row += 2) {
    const pair = rows.slice(row, row + 2)
    const height = Math.max(...pair.map(([, value]) => valueHeight(paper, value, column))) + 15
    keepRoom(paper, height)
    const y = paper.y
    pair.forEach(([label, value], place) => {
      const x = MARGIN + place * column
      paper.font(FONT.text).fontSize(8).fillColor(GREY).text(label, x, y)
      paper.font(FONT.text).fontSize(10).fillColor(INK)
      paper.text(printable(value), x, y + 10, { width: column - 12 })
    })
    paper.y = y + height
  }
}
const valueHeight = (paper: Paper, value: string, column: number) =>
  paper
    .font(FONT.text)
    .fontSize(10)
    .heightOfString(printable(value), { width: column - 12 })

function story(paper: Paper, { order }: Building) {
  const parts: [string, string | null][] = [
    ['Problema relatado', order.problem_description],
    ['Diagnóstico', order.diagnosis],
    ['Solução aplicada', order.solution_applied],
    ['Peças substituídas', order.parts_replaced],
  ]
  const told = parts.filter((part): part is [string, string] => Boolean(part[1]))
  if (told.length === 0) return
  heading(paper, 'Relato')
  for (const [label, text] of told) {
    keepRoom(paper, 34)
    paper
      .font(FONT.bold)
      .fontSize(9)
      .fillColor(INK)
      .text(label, MARGIN, paper.y, { width: widthOf(paper) })
    paper.font(FONT.text).fontSize(10).fillColor(INK)
    paper.text(printable(text), { width: widthOf(paper), lineGap: 1.5 })
    paper.y += 6
  }
}

/** The brand's categories with what there is of each, then what validation still misses. */
function checklist(paper: Paper, { brand, files, left_out, checks }: Building) {
  heading(paper, `Exigido por ${printable(brand.display_name)}`)
  const rows = brand.required_categories.map(({ category, min }) => {
    const have = files.filter(({ row }) => row.evidence_category === category).length
    return { ok: have >= min, words: `${EVIDENCE_CATEGORY[category]}: ${have} de ${min}` }
  })
  const open = checks
    .filter(({ ok, severity, code }) => !ok && severity === 'error' && code !== 'V02')
    .map(({ message }) => message)
  if (rows.length === 0) line(paper, null, 'A marca não exige categorias.')
  for (const { ok, words } of rows) line(paper, ok, words)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  line(
    paper,
    null,
    `Pacote: ${counted(files.length, 'arquivo', 'arquivos')}, ${bytes(total)}; a marca aceita até ${bytes(brand.max_file_size_mb * 1_000_000)} e ${integer(brand.max_evidence_count)} arquivos.`,
  )
  for (const message of open) line(paper, false, message)
  for (const { original_filename } of left_out)
    line(paper, false, `Não incluído, pois não foi convertido: ${original_filename}`)
}

function line(paper: Paper, ok: boolean | null, words: string) {
  keepRoom(paper, 16)
  const y = paper.y
  if (ok === true)
    paper
      .moveTo(MARGIN + 1, y + 5)
      .lineTo(MARGIN + 4, y + 8)
      .lineTo(MARGIN + 10, y + 1)
      .lineWidth(1.6)
      .stroke(GREEN)
  else if (ok === false)
    paper
      .moveTo(MARGIN + 2, y + 1)
      .lineTo(MARGIN + 9, y + 8)
      .moveTo(MARGIN + 9, y + 1)
      .lineTo(MARGIN + 2, y + 8)
      .lineWidth(1.6)
      .stroke(RED)
  paper.font(FONT.text).fontSize(10).fillColor(INK)
  paper.text(printable(words), MARGIN + 18, y, { width: widthOf(paper) - 18 })
  paper.y += 4
}

function seal(paper: Paper, { head, order }: Building) {
  keepRoom(paper, 150)
  heading(paper, 'Como conferir')
  const said = [
    'Cada arquivo deste dossiê tem o seu SHA-256 no manifesto.json e em SHA256SUMS. Na pasta extraída do ZIP, o comando «sha256sum -c SHA256SUMS» confere todos.',
    'O SHA-256 do original é o do arquivo como saiu do aparelho; ele nunca é alterado.',
    'A trilha de eventos da OS é encadeada: cada evento leva o hash do anterior. O último no momento do selo está abaixo. «os-worker verificar-cadeia --manifesto manifesto.json» mostra se a trilha foi alterada ou cortada depois disso.',
  ]
  paper.font(FONT.text).fontSize(9.5).fillColor(INK)
  for (const text of said) {
    paper.text(text, MARGIN, paper.y, { width: widthOf(paper), lineGap: 1.5 })
    paper.y += 4
  }
  const y = paper.y + 4
  paper.roundedRect(MARGIN, y, widthOf(paper), 40, 3).fillAndStroke(PALE, LINE)
  paper.font(FONT.bold).fontSize(9).fillColor(INK)
  paper.text(`Evento ${head.seq} da OS ${order.os_number}`, MARGIN + 10, y + 8)
  paper
    .font(FONT.mono)
    .fontSize(9)
    .fillColor(INK)
    .text(head.hash, MARGIN + 10, y + 22)
}
