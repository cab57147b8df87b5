import type { DossierBuild } from '@garantia/server/features/records/dossier'
import { formatPhone } from '@garantia/shared/br/phone'
import { formatCnpj } from '@garantia/shared/br/tax-id'
import { formatZipCode } from '@garantia/shared/br/zip-code'
import { EVIDENCE_CATEGORIES, EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { FILE_TYPE_LABEL } from '@garantia/shared/evidence/formats'
import { bytes, counted, dateTime, duration } from '@garantia/shared/format'
import { printable, type Weight } from './fonts.ts'

/** The words of report and slides: both say the same, in the same order. */
export interface Line {
  text: string
  size: number
  weight: Weight
  isGrey: boolean
  /** Points below it. */
  gap: number
}

type PackagedFile = DossierBuild['files'][number]
/** A file with its number in the dossier, from 1. */
export interface NumberedFile extends PackagedFile {
  number: number
}

/**
 * The files in reading order: photos and videos by category, those that the brand requires first and in its
 * order, then documents. Numbers run through all of them.
 */
export function readingOrder({ files, brand }: DossierBuild) {
  const required = brand.required_categories.map(({ category }) => category)
  const order = [...new Set([...required, ...EVIDENCE_CATEGORIES])]
  const rank = ({ row }: PackagedFile) =>
    row.evidence_category ? order.indexOf(row.evidence_category) : order.length
  const isShown = ({ row }: PackagedFile) => row.file_type === 'image' || row.file_type === 'video'
  const shown = files.filter(isShown).sort((a, b) => rank(a) - rank(b))
  const documents = files.filter((file) => !isShown(file))
  const numbered = [...shown, ...documents].map((file, place) => ({ ...file, number: place + 1 }))
  return { shown: numbered.slice(0, shown.length), documents: numbered.slice(shown.length) }
}

/** «48 fotos, 2 vídeos e 1 documento». */
export function contentsOf(files: readonly PackagedFile[]) {
  const count = (...types: string[]) => files.filter(({ row }) => types.includes(row.file_type)).length
  const parts = [
    { n: count('image'), one: 'foto', many: 'fotos' },
    { n: count('video'), one: 'vídeo', many: 'vídeos' },
    { n: count('pdf', 'document'), one: 'documento', many: 'documentos' },
  ].flatMap(({ n, one, many }) => (n > 0 ? [counted(n, one, many)] : []))
  if (parts.length === 0) return 'Nenhum arquivo'
  const last = parts.pop()
  return parts.length === 0 ? `${last}` : `${parts.join(', ')} e ${last}`
}

export const categoryOf = ({ row }: PackagedFile) =>
  row.evidence_category ? EVIDENCE_CATEGORY[row.evidence_category] : 'Sem categoria'

/** What is said of a file beside its picture, or in the list of documents. */
export function captionOf(file: NumberedFile, people: DossierBuild['people']): Line[] {
  const { name, row, number } = file
  const line = (text: string, size: number, more: Partial<Line> = {}): Line => ({
    text: oneLine(text),
    size,
    weight: 'text',
    isGrey: false,
    gap: 3,
    ...more,
  })
  return [
    line(`${number}. ${categoryOf(file)}`, 11, { weight: 'bold' }),
    ...(row.description ? [line(row.description, 10, { gap: 4 })] : []),
    ...(file.confirmed ? [line(file.confirmed, 9)] : []),
    line(`Arquivo no pacote: ${name}`, 9),
    line(timesOf(file, people), 8.5, { isGrey: true }),
    line(shapeOf(file), 8.5, { isGrey: true, gap: 0 }),
  ]
}
/** A line break inside of a caption would make its height unlimited. */
const oneLine = (text: string) => printable(text.replace(/\s+/g, ' ').trim())

function timesOf({ row }: PackagedFile, people: DossierBuild['people']) {
  const person = row.uploaded_by === null ? undefined : people.get(row.uploaded_by)
  const received = `Recebimento: ${dateTime(row.uploaded_at)}${person ? `, por ${person}` : ''}`
  return row.captured_at ? `Captura: ${dateTime(row.captured_at)} · ${received}` : received
}

const shapeOf = ({ row, size }: PackagedFile) =>
  [
    row.file_type === 'video' && row.duration_seconds !== null
      ? `${FILE_TYPE_LABEL.video} de ${duration(row.duration_seconds)}, do qual se vê um quadro`
      : FILE_TYPE_LABEL[row.file_type],
    row.width && row.height ? `${row.width} × ${row.height} pixels` : null,
    row.pages ? counted(row.pages, 'página', 'páginas') : null,
    bytes(size),
  ]
    .filter((one) => one !== null)
    .join(' · ')

/** What stands below the name of the dealership; nothing for what is unknown. */
export function companyLines({ company }: DossierBuild): string[] {
  const { legal_name, tax_id, address, city, state, zip_code, phone, email } = company
  const place = [city, state].filter(Boolean).join(' – ')
  const code = zip_code ? `CEP ${formatZipCode(zip_code)}` : null
  return [
    [legal_name, `CNPJ ${formatCnpj(tax_id)}`],
    [address, place, code],
    [phone && formatPhone(phone), email],
  ]
    .map((parts) => parts.filter(Boolean).join(' · '))
    .filter((text) => text !== '')
    .map(printable)
}
