import type { DossierBuild } from '@garantia/server/features/records/dossier'
import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { bytes, counted, dateTime, integer } from '@garantia/shared/format'
import {
  contentWidth,
  ensureSpace,
  FONT,
  GREEN,
  GREY,
  heading,
  INK,
  LINE,
  MARGIN,
  PALE,
  paragraph,
  RED,
  type ReportDocument,
  rule,
  textAt,
  textHeight,
} from './report-document.ts'
import type { NumberedFile } from './words.ts'

/** The brand's categories with the number of files of each, then the open errors of the validation. */
export function requirements(doc: ReportDocument, { brand, files, left_out, checks }: DossierBuild) {
  heading(doc, `Exigido por ${brand.display_name}`)
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
    checklistLine(doc, false, `Fora do dossiê, pois não há cópia pronta para a marca: ${original_filename}`)
}

const MARK = 22
function checklistLine(doc: ReportDocument, ok: boolean | null, words: string) {
  const width = contentWidth(doc) - MARK
  const height = textHeight(doc, words, width, { size: 10 })
  ensureSpace(doc, height + 6)
  const { y } = doc
  const left = MARGIN + 2
  if (ok === true)
    doc
      .moveTo(left, y + 6)
      .lineTo(left + 3, y + 9)
      .lineTo(left + 9, y + 2)
  if (ok === false)
    doc
      .moveTo(left, y + 2)
      .lineTo(left + 8, y + 10)
      .moveTo(left + 8, y + 2)
      .lineTo(left, y + 10)
  if (ok !== null) doc.lineWidth(1.5).stroke(ok ? GREEN : RED)
  textAt(doc, words, { x: MARGIN + MARK, y, width }, { size: 10 })
  doc.y = y + height + 6
}

const WHEN = 112
const WHO = 140
/** What happened to the order, one line each. */
export function historySection(doc: ReportDocument, { history }: DossierBuild) {
  heading(doc, 'Histórico')
  const width = contentWidth(doc) - WHEN - WHO
  for (const { at, text, actor } of history) {
    const height = Math.max(
      textHeight(doc, text, width - 12, { size: 9.5 }),
      textHeight(doc, actor, WHO, { size: 9 }),
    )
    ensureSpace(doc, height + 8)
    const { y } = doc
    textAt(doc, dateTime(at), { x: MARGIN, y, width: WHEN - 12 }, { size: 9, colour: GREY })
    textAt(doc, text, { x: MARGIN + WHEN, y, width: width - 12 }, { size: 9.5 })
    textAt(doc, actor, { x: MARGIN + WHEN + width, y, width: WHO }, { size: 9, colour: GREY })
    doc.y = y + height + 8
  }
  if (history.length === 0) paragraph(doc, 'Nenhum evento registrado.')
}

/** Lines to sign on, with the name below. */
export function signatures(doc: ReportDocument, { order, company }: DossierBuild) {
  const width = (contentWidth(doc) - 32) / 2
  const people = [
    { role: 'Técnico', name: order.technician_name ?? '' },
    { role: 'Responsável pela concessionária', name: company.trading_name },
  ]
  const height = Math.max(...people.map(({ name }) => textHeight(doc, name, width, { size: 9.5 }))) + 110
  ensureSpace(doc, height + 50)
  heading(doc, 'Assinaturas')
  const y = doc.y + 52
  for (const [place, { role, name }] of people.entries()) {
    const x = MARGIN + place * (width + 32)
    rule(doc, y, x, width)
    textAt(doc, role, { x, y: y + 6, width }, { size: 8, colour: GREY })
    if (name) textAt(doc, name, { x, y: y + 18, width }, { size: 9.5 })
  }
  const last = y + height - 60
  rule(doc, last, MARGIN, width)
  textAt(doc, 'Local e data', { x: MARGIN, y: last + 6, width }, { size: 8, colour: GREY })
  doc.y = last + 24
}

/** How to check the package, and the hashes of its files. */
export function verification(
  doc: ReportDocument,
  { head, order, company }: DossierBuild,
  files: readonly NumberedFile[],
) {
  heading(doc, 'Conferência dos arquivos')
  const instructions = [
    'Um SHA-256 é uma impressão digital: muda por inteiro quando um só bit do arquivo muda. Cada arquivo do dossiê tem o seu na lista abaixo, em manifesto.json e em SHA256SUMS.',
    'De cada arquivo há dois: o da cópia que está no pacote e o do original, como saiu do aparelho. O original nunca é alterado e fica guardado na concessionária.',
    `Os eventos da OS são encadeados: cada um leva o hash do anterior. O último no momento da conclusão deste dossiê está abaixo. Com ele e com manifesto.json, ${company.trading_name} mostra se algum evento foi alterado ou removido depois («npm run worker -- verificar-cadeia --manifesto manifesto.json»).`,
  ]
  if (files.some(({ confirmed }) => confirmed))
    instructions.push(
      '«Leitura automática … Confere com a OS» diz que um programa leu na foto um texto igual ao da OS. Não diz que a foto é autêntica, nem que é deste veículo.',
    )
  for (const text of instructions) paragraph(doc, text, 9.5)
  ensureSpace(doc, 60)
  const y = doc.y + 4
  doc.rect(MARGIN, y, contentWidth(doc), 42).lineWidth(0.6).fillAndStroke(PALE, LINE)
  const box = { x: MARGIN + 10, width: contentWidth(doc) - 20 }
  textAt(
    doc,
    `Evento ${head.seq} da OS ${order.os_number}`,
    { ...box, y: y + 8 },
    { size: 9, weight: 'bold' },
  )
  doc.font(FONT.mono).fontSize(9).fillColor(INK)
  doc.text(head.hash, box.x, y + 24, { lineBreak: false })
  doc.y = y + 58
  if (files.length === 0) paragraph(doc, 'Este dossiê não tem arquivos.')
  for (const file of files) hashRow(doc, file)
}

const HASH = { size: 6.4, width: 250 }
const NUMBER = 26
const TINY = 7
/** One file with the hashes of its copy and of its original, in small type. */
function hashRow(doc: ReportDocument, { number, name, size, sha256, row }: NumberedFile) {
  const width = contentWidth(doc) - NUMBER - HASH.width - 10
  const lines = [
    { text: `${name} (${bytes(size)})`, hash: sha256, colour: INK },
    { text: `original: ${row.original_filename} (${bytes(row.file_size)})`, hash: row.sha256, colour: GREY },
  ]
  const heights = lines.map(({ text }) => textHeight(doc, text, width, { size: TINY }) + 2)
  const height = heights.reduce((sum, one) => sum + one, 0)
  ensureSpace(doc, height + 8)
  rule(doc, doc.y)
  let y = doc.y + 5
  textAt(doc, String(number), { x: MARGIN, y, width: NUMBER - 6 }, { size: TINY })
  for (const [place, { text, hash, colour }] of lines.entries()) {
    textAt(doc, text, { x: MARGIN + NUMBER, y, width }, { size: TINY, colour })
    doc.font(FONT.mono).fontSize(HASH.size).fillColor(colour)
    doc.text(hash, MARGIN + contentWidth(doc) - HASH.width, y + 0.5, { lineBreak: false })
    y += heights[place] ?? 0
  }
  doc.y = y + 3
}
