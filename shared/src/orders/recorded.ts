import { FIELD_LABEL } from './field-label.ts'

/** The values of an order by which the trail is compared with it, with their names. */
export const RECORDED_LABEL = {
  ...FIELD_LABEL,
  legal_hold_reason: 'Motivo da retenção judicial',
} as const
export type RecordedField = keyof typeof RECORDED_LABEL
export const RECORDED_FIELDS = Object.keys(RECORDED_LABEL) as RecordedField[]

/** Of these the anonymisation of the customer removes what names them. */
export const ANONYMISED_TEXTS = [
  'problem_description',
  'diagnosis',
  'solution_applied',
  'parts_replaced',
  'legal_hold_reason',
] as const satisfies RecordedField[]

/** Events that contain all values of an order; one that is missing in them is null. */
export const RECORDING_EVENTS = ['opened', 'values.recorded']

/** What such an event says of an order: the values that it has. */
export const recordedValues = (row: { [Field in RecordedField]: unknown }): Record<string, unknown> =>
  Object.fromEntries(RECORDED_FIELDS.flatMap((field) => (row[field] === null ? [] : [[field, row[field]]])))

/** Changes of an event for people: values at the opening are the order's own page. */
export function withoutRecorded(kind: string, changes: Record<string, unknown>): Record<string, unknown> {
  if (!RECORDING_EVENTS.includes(kind)) return changes
  const { os_number, ...others } = changes
  const told = Object.entries(others).filter(([name]) => !Object.hasOwn(RECORDED_LABEL, name))
  return { os_number, ...Object.fromEntries(told) }
}
