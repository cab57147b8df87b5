import { z } from 'zod'
import { id, optionalText, text } from '../fields.ts'
import { day } from '../orders/metrics.ts'

/** On record beside a visit; neither stops the legal clock. */
export const VISIT_FACTS = ['awaiting_part', 'loan_car'] as const
export type VisitFact = (typeof VISIT_FACTS)[number]
export const VISIT_FACT: Record<VisitFact, string> = {
  awaiting_part: 'Aguardando peça',
  loan_car: 'Carro reserva',
}
const moment = z.iso.datetime({ offset: true, error: 'Deve ser uma data e hora' })

/** Makes several orders of one company visits for one defect. */
export const defectLink = z.object({
  order_id: id,
  /** Another order of the same vehicle: the first of the group, or one of it. */
  with_order_id: id,
  title: text(120).optional(),
})
export type DefectLink = z.output<typeof defectLink>
/** Takes an order out of its group; its visit counts alone again. */
export const defectUnlink = z.object({ order_id: id })
/** A proposal that is not for the same defect. */
export const defectRefusal = z.object({ order_id: id, with_order_id: id })
export type DefectRefusal = z.output<typeof defectRefusal>

/** Absent dates are the opening and the completion of the order. */
export const visitDates = z.object({
  arrived_at: moment.nullable().optional(),
  repaired_at: moment.nullable().optional(),
})
export const visitChange = visitDates.extend({ order_id: id })
export type VisitChange = z.output<typeof visitChange>
export const visitFact = z
  .object({
    kind: z.enum(VISIT_FACTS, 'Fato desconhecido'),
    from_on: day,
    until_on: day.nullable().optional(),
    note: optionalText(500),
  })
  .refine(({ from_on, until_on }) => !until_on || from_on <= until_on, {
    path: ['until_on'],
    error: 'O fim não pode vir antes do início',
  })
export const visitFactInput = visitFact.safeExtend({ order_id: id })
export type VisitFactInput = z.output<typeof visitFactInput>

const visitView = z.object({
  order_id: id,
  os_number: z.string(),
  from: z.string(),
  until: z.string().nullable(),
  /** Of this visit alone; days that two visits share count once. */
  days: z.number().int(),
  problem_description: z.string().nullable(),
})
/** How an order's defect stands to the legal limit, over all visits of its group. */
export const legalClockView = z.object({
  days: z.number().int(),
  is_running: z.boolean(),
  due_on: z.string().nullable(),
  state: z.enum(['near', 'overdue']).nullable(),
  group_id: id.nullable(),
  title: z.string().nullable(),
  visits: z.array(visitView),
  /** Other visits of the vehicle that may be for the same defect. */
  proposed: z.array(visitView),
  facts: z.array(
    z.object({
      id,
      order_id: id,
      kind: z.enum(VISIT_FACTS),
      from_on: z.string(),
      until_on: z.string().nullable(),
      note: z.string().nullable(),
      actor_name: z.string(),
    }),
  ),
})
export type LegalClockView = z.output<typeof legalClockView>
