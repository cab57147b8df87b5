import { sumOf } from '@garantia/shared/claims/money'
import {
  type ClaimChange,
  type ClaimLineView,
  type ClaimView,
  claimChange,
  LINES_MAX,
} from '@garantia/shared/claims/schema'
import type { ClaimType, LineKind } from '@garantia/shared/claims/state'
import { appealableOf } from '@garantia/shared/claims/sums'
import type { OrderView } from '@garantia/shared/orders/schema'
import { formOf } from '../../../lib/forms.ts'
import { maskedMoney, moneyIn } from '../../../ui/form/masks.ts'

/** A line as it is typed; of another kind's fields only what its kind has is sent. */
export interface LineFields {
  kind: LineKind
  description: string
  claimed: string
  part_number: string
  quantity: string
  is_causal: boolean
  labour_code: string
  hours: string
  supplier: string
  document: string
  previous_line_id: number | null
}
export interface ClaimFields {
  note: string
  lines: LineFields[]
}

const BLANK: LineFields = {
  kind: 'part',
  description: '',
  claimed: '',
  part_number: '',
  quantity: '1',
  is_causal: false,
  labour_code: '',
  hours: '',
  supplier: '',
  document: '',
  previous_line_id: null,
}
export const blankLine = (kind: LineKind = 'part'): LineFields => ({ ...BLANK, kind })

const decimalText = (value: number | null) => (value === null ? '' : String(value).replace('.', ','))
/** «1,5» and «1.5» alike; what is no number is left to the schema's message. */
const decimalIn = (text: string) => (text.trim() === '' ? undefined : Number(text.trim().replace(',', '.')))

const fieldsOfLine = (line: ClaimLineView): LineFields => ({
  kind: line.kind,
  description: line.description,
  claimed: maskedMoney(line.claimed),
  part_number: line.part_number ?? '',
  quantity: decimalText(line.quantity ?? 1),
  is_causal: line.is_causal,
  labour_code: line.labour_code ?? '',
  hours: decimalText(line.hours),
  supplier: line.supplier ?? '',
  document: line.document ?? '',
  previous_line_id: line.previous_line_id,
})
/** What a draft has. */
export const fieldsOfClaim = ({ note, lines }: ClaimView): ClaimFields => ({
  note: note ?? '',
  lines: lines.map(fieldsOfLine),
})

const DESCRIPTION_MAX = 255
/** What the order says about its parts and its labour; their numbers and codes are in the dealer's system. */
const linesOfOrder = (order: OrderView): LineFields[] => {
  const parts = (order.parts_replaced ?? '')
    .split(/\r?\n/)
    .map((text) => text.trim())
    .filter(Boolean)
    .slice(0, LINES_MAX - 1)
  const named = parts.length > 0 ? parts : order.parts_value ? ['Peças'] : []
  return [
    ...named.map((description, index) => ({
      ...BLANK,
      description: description.slice(0, DESCRIPTION_MAX),
      // The order has one amount for all parts: it is known for one part alone.
      claimed: named.length === 1 ? maskedMoney(order.parts_value) : '',
      is_causal: index === 0,
    })),
    ...(order.service_value
      ? [
          {
            ...BLANK,
            kind: 'labour' as const,
            description: (order.solution_applied ?? '').slice(0, DESCRIPTION_MAX) || 'Mão de obra',
            claimed: maskedMoney(order.service_value),
          },
        ]
      : []),
  ]
}

/** What a new claim has at first: what the order says, or for an appeal what is missing of each line. */
export function fieldsOfNew(order: OrderView, type: ClaimType, previous: ClaimView | null): ClaimFields {
  if (type === 'appeal' && previous)
    return {
      note: '',
      lines: previous.lines
        .filter((line) => appealableOf(line) > 0)
        .map((line) => ({
          ...fieldsOfLine(line),
          claimed: maskedMoney(appealableOf(line)),
          previous_line_id: line.id,
        })),
    }
  return { note: '', lines: type === 'normal' ? linesOfOrder(order) : [blankLine()] }
}

function lineInputOf(line: LineFields) {
  const { kind, description, previous_line_id } = line
  const common = { kind, description, previous_line_id, claimed: moneyIn(line.claimed) ?? undefined }
  if (kind === 'part') {
    const { part_number, is_causal } = line
    return { ...common, part_number, quantity: decimalIn(line.quantity), is_causal }
  }
  if (kind === 'labour') return { ...common, labour_code: line.labour_code, hours: decimalIn(line.hours) }
  return { ...common, supplier: line.supplier, document: line.document }
}
export const claimForm = formOf<ClaimFields, ClaimChange>(
  claimChange,
  ({ note, lines }) => ({ note, lines: lines.map(lineInputOf) }),
  () => ({}),
)

export const totalOfLines = (lines: readonly Pick<LineFields, 'claimed'>[]) =>
  sumOf(lines.map(({ claimed }) => moneyIn(claimed) ?? 0))
