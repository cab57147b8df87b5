import { dayIn, integer } from '../format.ts'
import { type CellValue, padded, plainHeading, proposeColumns, readMoney } from '../spreadsheet.ts'
import { FIELD_LABEL } from './field-label.ts'
import { OPENED_IN_FUTURE, type OrderInput, orderChange, orderInput } from './schema.ts'

/**
 * Fields that a column of a spreadsheet may fill, each with further headings by which dealers' systems name
 * it; the label of the form is always one. The order is that of the mapping on the screen.
 */
export const IMPORT_FIELDS = {
  os_number: ['os', 'numero os', 'nr os', 'n os', 'no os', 'num os', 'ordem de servico', 'cod os'],
  brand_id: ['montadora', 'fabricante', 'bandeira'],
  opened_at: ['abertura', 'data abertura', 'dt abertura', 'data os', 'data', 'data da os', 'emissao'],
  customer_name: ['cliente', 'nome', 'nome cliente', 'razao social', 'proprietario'],
  customer_document: ['cpf cnpj', 'cpf', 'cnpj', 'documento', 'cgc cpf', 'cpf cnpj do cliente'],
  customer_phone: ['fone', 'celular', 'telefone do cliente', 'tel', 'contato', 'fone cliente'],
  customer_email: ['e mail', 'email do cliente', 'email cliente'],
  vehicle_model: ['veiculo', 'modelo do veiculo', 'descricao do veiculo', 'carro'],
  vehicle_year: ['ano modelo', 'ano fab mod', 'ano fabricacao modelo', 'ano do veiculo'],
  vehicle_color: ['cor do veiculo'],
  vehicle_plate: ['placa do veiculo'],
  vehicle_chassis: ['chassis', 'vin', 'nr chassi', 'numero do chassi', 'chassi do veiculo'],
  vehicle_mileage: ['km', 'kilometragem', 'odometro', 'hodometro', 'km atual', 'km entrada'],
  vehicle_value: ['valor veiculo'],
  technician_name: ['mecanico', 'produtivo', 'nome do tecnico', 'executor'],
  problem_description: ['problema', 'reclamacao', 'defeito', 'queixa', 'sintoma', 'descricao', 'relato'],
  diagnosis: ['laudo', 'causa'],
  solution_applied: ['solucao', 'servico executado', 'servicos', 'servico realizado', 'correcao'],
  parts_replaced: ['pecas', 'pecas trocadas', 'itens'],
  service_value: ['valor servico', 'mao de obra', 'valor mao de obra', 'vlr servicos', 'total servicos'],
  parts_value: ['valor pecas', 'vlr pecas', 'total pecas', 'valor de pecas'],
} as const satisfies Partial<Record<keyof typeof FIELD_LABEL, readonly string[]>>
export type ImportField = keyof typeof IMPORT_FIELDS
export const IMPORT_FIELD_NAMES = Object.keys(IMPORT_FIELDS) as ImportField[]

/** The column, from 0, of each field that is filled. */
export type ImportMapping = Partial<Record<ImportField, number>>

/** The mapping proposed for the headings of a file; each column is used once. */
export const proposeMapping = (headings: readonly string[]): ImportMapping =>
  proposeColumns(headings, IMPORT_HEADINGS)
const IMPORT_HEADINGS = Object.fromEntries(
  IMPORT_FIELD_NAMES.map((field) => [field, [FIELD_LABEL[field], ...IMPORT_FIELDS[field]]]),
) as Record<ImportField, string[]>

function whole(text: string, what: string): CellValue {
  const bare = text.replace(/\s*km$/i, '')
  return /^(\d{1,3}(\.\d{3})+|\d+)(,0+)?$/.test(bare)
    ? { value: Number(bare.replace(/,0+$/, '').replaceAll('.', '')) }
    : { problem: what }
}
/** dd/mm/aaaa or aaaa-mm-dd, with or without a time, which is not kept: deadlines count days. */
function day(text: string): CellValue {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/.exec(text) ?? []
  const written = year ? `${date}/${month}/${year}` : text.replace(/\s+\d{1,2}:\d{2}(:\d{2})?$/, '')
  const start = dayIn(written)
  if (!start) return { problem: 'Data inválida (dd/mm/aaaa)' }
  return start > new Date() ? { problem: OPENED_IN_FUTURE } : { value: start.toISOString() }
}
const VALUES: Partial<Record<ImportField, (text: string) => CellValue>> = {
  os_number: (text) => ({ value: padded(text, 6) }),
  opened_at: day,
  customer_document: (text) => ({ value: padded(text, 11, 14) }),
  customer_phone: (text) => ({ value: text.replace(/^\+?55\s*(?=\(?\d{2}\)?[\s\d-]{8,}$)/, '') }),
  // «2023/2024» is the year it was made and that of the model.
  vehicle_year: (text) => whole(/^\d{4}\s*\/\s*(\d{4})$/.exec(text)?.[1] ?? text, 'Deve ser um ano'),
  vehicle_mileage: (text) => whole(text, 'Deve ser um número de quilômetros'),
  vehicle_value: readMoney,
  service_value: readMoney,
  parts_value: readMoney,
}

export interface ImportProblem {
  /** Line of the sheet: the headings are line 1. */
  line: number
  /** By which the order is found in the dealer's system; as written, when it is no number of six digits. */
  os_number: string
  field: ImportField
  /** What the cell says. */
  value: string
  message: string
}
export interface ImportLine {
  line: number
  cells: readonly string[]
}
/** What is the same for all lines. */
export interface ImportTarget {
  mapping: ImportMapping
  company_id: number
  /** Brand of the lines that name none. */
  brand_id: number | null
  /** Active brands that the company serves. */
  brands: readonly { id: number; slug: string; display_name: string }[]
}
export type ImportedOrder = OrderInput & { opened_at?: string | undefined }
export type JudgedLine = { line: number } & ({ order: ImportedOrder } | { problems: ImportProblem[] })

const line = orderInput.extend({ opened_at: orderChange.shape.opened_at })

/**
 * Judges the lines of a file, one after the other, by the rules of the form; a number that occurs twice is
 * refused the second time.
 */
export function lineJudge(target: ImportTarget) {
  const seen = new Map<string, number>()
  const byName = new Map(
    target.brands.flatMap(({ id, slug, display_name }) => [
      [plainHeading(slug), id],
      [plainHeading(display_name), id],
    ]),
  )
  return (one: ImportLine): JudgedLine => {
    const judged = judgeLine(one, target, byName)
    if (!('order' in judged)) return judged
    const { os_number } = judged.order
    const before = seen.get(os_number)
    if (before === undefined) {
      seen.set(os_number, one.line)
      return judged
    }
    const message = `Número repetido no arquivo: já está na linha ${integer(before)}`
    return {
      line: one.line,
      problems: [{ line: one.line, os_number, field: 'os_number', value: os_number, message }],
    }
  }
}

function judgeLine(
  { line: number, cells }: ImportLine,
  { mapping, company_id, brand_id }: ImportTarget,
  brands: ReadonlyMap<string, number>,
): JudgedLine {
  const problems: ImportProblem[] = []
  const textOf = (field: ImportField) => {
    const column = mapping[field]
    return column === undefined ? '' : (cells[column]?.trim() ?? '')
  }
  const fault = (field: ImportField, message: string) => {
    if (!problems.some((one) => one.field === field))
      problems.push({
        line: number,
        os_number: padded(textOf('os_number'), 6),
        field,
        value: textOf(field),
        message,
      })
  }
  const given: Record<string, unknown> = { company_id, brand_id: brand_id ?? undefined }
  for (const field of IMPORT_FIELD_NAMES) {
    const text = textOf(field)
    if (text === '') continue
    const read = field === 'brand_id' ? brandIn(text, brands) : (VALUES[field]?.(text) ?? { value: text })
    if ('problem' in read) fault(field, read.problem)
    else given[field] = read.value
  }
  const { data, error } = line.safeParse(given)
  for (const { path, message } of error?.issues ?? []) fault(path[0] as ImportField, message)
  if (data && problems.length === 0) return { line: number, order: data }
  const rank = ({ field }: ImportProblem) => IMPORT_FIELD_NAMES.indexOf(field)
  return { line: number, problems: problems.sort((a, b) => rank(a) - rank(b)) }
}

const brandIn = (text: string, brands: ReadonlyMap<string, number>): CellValue => {
  const id = brands.get(plainHeading(text))
  return id === undefined
    ? { problem: 'Marca desconhecida, desativada ou não atendida pela empresa' }
    : { value: id }
}
