import {
  type DefectLink,
  defectLink,
  type VisitFact,
  type VisitFactInput,
  visitDates,
  visitFactInput,
} from '@garantia/shared/claims/visits'
import { date, dayText } from '@garantia/shared/format'
import type { z } from 'zod'
import { chosen, formOf } from '../../../lib/forms.ts'
import { typedDay, typedMoment, WRONG_MOMENT, wrongDay } from '../claim/day-fields.ts'

export interface LinkFields {
  with_order_id: string
  title: string
}
/** Of an order, which the others of the vehicle are linked to. */
export const linkForm = (order_id: number) =>
  formOf<LinkFields, DefectLink>(
    defectLink,
    ({ with_order_id, title }) => ({
      order_id,
      with_order_id: chosen(with_order_id),
      ...(title.trim() !== '' && { title }),
    }),
    ({ with_order_id }) => ({ with_order_id: with_order_id === '' ? 'Escolha a outra OS' : null }),
  )

export interface DatesFields {
  arrived_at: string
  repaired_at: string
}
const wrongMoment = (text: string) => (typedMoment(text) === undefined ? WRONG_MOMENT : null)
export const datesForm = formOf<DatesFields, z.output<typeof visitDates>>(
  visitDates,
  ({ arrived_at, repaired_at }) => ({
    arrived_at: typedMoment(arrived_at),
    repaired_at: typedMoment(repaired_at),
  }),
  ({ arrived_at, repaired_at }) => ({
    arrived_at: wrongMoment(arrived_at),
    repaired_at: wrongMoment(repaired_at),
  }),
)

export interface FactFields {
  kind: VisitFact
  from_on: string
  until_on: string
  note: string
}
/** A new fact begins today; one on record waits for its end, which is today. */
export const fieldsOfFact = (
  fact: { kind: VisitFact; from_on: string; note: string | null } | null,
): FactFields =>
  fact
    ? {
        kind: fact.kind,
        from_on: dayText(fact.from_on),
        until_on: date(new Date()),
        note: fact.note ?? '',
      }
    : { kind: 'awaiting_part', from_on: date(new Date()), until_on: '', note: '' }
export const factForm = (order_id: number) =>
  formOf<FactFields, VisitFactInput>(
    visitFactInput,
    ({ kind, from_on, until_on, note }) => ({
      order_id,
      kind,
      from_on: typedDay(from_on),
      until_on: typedDay(until_on),
      note,
    }),
    ({ from_on, until_on }) => ({
      from_on: from_on.trim() === '' ? 'Informe o primeiro dia' : wrongDay(from_on),
      until_on: wrongDay(until_on),
    }),
  )
