import { formatAccessKey } from '@garantia/shared/br/access-key'
import {
  type PartChange,
  type PartReturnView,
  type PartState,
  partChange,
  partIssue,
} from '@garantia/shared/claims/parts'
import { dayText } from '@garantia/shared/format'
import { formOf } from '../../../lib/forms.ts'
import { maskedMoney, moneyIn } from '../../../ui/form/masks.ts'
import { typedDay, wrongDay } from '../claim/day-fields.ts'

export interface PartFields {
  state: PartState
  place: string
  due_on: string
  attributed_value: string
  certificate_number: string
  certificate_issued_on: string
  certificate_until: string
  invoice_number: string
  invoice_key: string
  carrier: string
  sent_on: string
  received_on: string
  note: string
}
const dayOrBlank = (day: string | null) => (day === null ? '' : dayText(day))

export const fieldsOfPart = (part: PartReturnView): PartFields => ({
  state: part.state,
  place: part.place ?? '',
  due_on: dayOrBlank(part.due_on),
  attributed_value: part.attributed_value === null ? '' : maskedMoney(part.attributed_value),
  certificate_number: part.certificate_number ?? '',
  certificate_issued_on: dayOrBlank(part.certificate_issued_on),
  certificate_until: dayOrBlank(part.certificate_until),
  invoice_number: part.invoice_number ?? '',
  invoice_key: formatAccessKey(part.invoice_key ?? ''),
  carrier: part.carrier ?? '',
  sent_on: dayOrBlank(part.sent_on),
  received_on: dayOrBlank(part.received_on),
  note: part.note ?? '',
})

const DAYS = ['due_on', 'certificate_issued_on', 'certificate_until', 'sent_on', 'received_on'] as const
const daysIn = <To>(fields: PartFields, convert: (text: string) => To) =>
  Object.fromEntries(DAYS.map((name) => [name, convert(fields[name])])) as Record<(typeof DAYS)[number], To>

const change = partChange.omit({ id: true, version: true })
export type PartInput = Omit<PartChange, 'id' | 'version'>
export const partForm = formOf<PartFields, PartInput>(
  change,
  (fields) => ({
    ...fields,
    ...daysIn(fields, typedDay),
    attributed_value: moneyIn(fields.attributed_value),
  }),
  (fields) => {
    const wrong = daysIn(fields, wrongDay)
    const { state } = fields
    const issue = partIssue({
      state,
      sent_on: typedDay(fields.sent_on),
      received_on: typedDay(fields.received_on),
    })
    return { ...(issue && { [issue.field]: issue.message }), ...present(wrong) }
  },
)
const present = (messages: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(messages).filter(([, message]) => message !== null))
