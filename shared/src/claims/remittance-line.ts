import { beginningOf, isStorable } from '../fields.ts'
import { padded, proposeColumns, readMoney } from '../spreadsheet.ts'
import { AMOUNT_MAX, centsOf } from './money.ts'
import {
  REMITTANCE_FIELD_NAMES,
  REMITTANCE_FIELDS,
  type RemittanceField,
  type RemittanceLineInput,
  type RemittanceMapping,
} from './remittance.ts'

/** The columns proposed for the headings of a remittance; each is used once. */
export const proposeRemittanceColumns = (headings: readonly string[]) => proposeColumns(headings, HEADINGS)
const HEADINGS = Object.fromEntries(
  REMITTANCE_FIELD_NAMES.map((field) => {
    const { label, headings } = REMITTANCE_FIELDS[field]
    return [field, [label, ...headings]]
  }),
) as Record<RemittanceField, string[]>

/** One line as it is compared with claims. Amounts in R$, negative where the brand takes money back. */
export interface RemittanceLine {
  line: number
  brand_number: string | null
  os_number: string | null
  chassis_end: string | null
  document: string | null
  amount: number
}
export interface LineProblem {
  line: number
  field: RemittanceField
  value: string
  message: string
}

const MOST = 60
const NO_NUMBER = 'Sem número na marca nem da OS'
/** Characters of a cell that are shown with its problem. */
const SHOWN = 100

const number = (text: string | null | undefined) => text?.trim() || null
const osNumber = (text: string | null | undefined) => (number(text) ? padded((text ?? '').trim(), 6) : null)
const chassis = (text: string | null | undefined) =>
  (text ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '') || null

/** A typed line as one of a file. */
export const typedLine = (
  { brand_number, os_number, chassis_end, amount }: RemittanceLineInput,
  index: number,
): RemittanceLine => ({
  line: index + 1,
  brand_number: number(brand_number),
  os_number: osNumber(os_number),
  chassis_end: chassis(chassis_end),
  document: null,
  amount,
})

/** «(1.234,56)» and «1.234,56-» are negative too. */
const signed = (text: string) => text.replace(/^\((.*)\)$/, '-$1').replace(/^(.*\d)-$/, '-$1')
function readAmount(text: string) {
  const read = readMoney(signed(text.trim()))
  if ('problem' in read) return read
  if (Math.abs(centsOf(read.value) - read.value * 100) > 1e-4)
    return { problem: 'Use no máximo duas casas decimais' }
  if (Math.abs(read.value) > AMOUNT_MAX) return { problem: 'Valor acima do máximo permitido' }
  return centsOf(read.value) === 0 ? { problem: 'O valor não pode ser zero' } : read
}

/** A line of a file by its mapping, or why it is left out: rows of totals have no number, for one. */
export function readRemittanceLine(
  { line, cells }: { line: number; cells: readonly string[] },
  mapping: RemittanceMapping,
): RemittanceLine | LineProblem {
  const textOf = (field: RemittanceField) => {
    const column = mapping[field]
    return column === undefined ? '' : (cells[column] ?? '').trim()
  }
  const problem = (field: RemittanceField, value: string, message: string) => ({
    line,
    field,
    value: beginningOf(value, SHOWN),
    message,
  })
  const wrong = (['brand_number', 'os_number', 'chassis', 'document'] as const).find(
    (field) => textOf(field).length > MOST || !isStorable(textOf(field)),
  )
  if (wrong !== undefined) return problem(wrong, textOf(wrong), `Máximo de ${MOST} caracteres`)
  const amount = readAmount(textOf('amount'))
  if ('problem' in amount) return problem('amount', textOf('amount'), amount.problem)
  const read = {
    line,
    brand_number: number(textOf('brand_number')),
    os_number: osNumber(textOf('os_number')),
    chassis_end: chassis(textOf('chassis')),
    document: number(textOf('document')),
    amount: amount.value,
  }
  return read.brand_number || read.os_number ? read : problem('brand_number', textOf('amount'), NO_NUMBER)
}
