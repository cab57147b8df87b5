import { z } from 'zod'
import { accessKeyProblem, bareAccessKey } from '../br/access-key.ts'
import { byId, id, listOf, optionalText } from '../fields.ts'
import { day } from '../orders/metrics.ts'
import { WINDOW_EVENTS } from './deadlines.ts'
import { amount, amountOf, centsOf } from './money.ts'

export const PART_STATES = ['held', 'requested', 'sent', 'received', 'scrapped'] as const
export type PartState = (typeof PART_STATES)[number]
export const PART_STATE: Record<PartState, string> = {
  held: 'Guardada',
  requested: 'Devolução pedida',
  sent: 'Devolvida',
  received: 'Recebida pela marca',
  scrapped: 'Sucateada',
}

/** Convênio ICMS 129/06: the invoice of a defective part gives it a tenth of the price of the new one. */
export const attributedValue = (price: number) => amountOf(Math.round(centsOf(price) / 10))

/** A replaced part: where it lies, until when, and the facts that the invoice of its return needs. */
export const partChange = byId.extend({
  version: z.number().int().positive().optional(),
  state: z.enum(PART_STATES, 'Situação desconhecida').optional(),
  place: optionalText(60),
  due_on: day.nullable().optional(),
  attributed_value: amount.nullable().optional(),
  certificate_number: optionalText(60),
  certificate_issued_on: day.nullable().optional(),
  certificate_until: day.nullable().optional(),
  invoice_number: optionalText(20),
  invoice_key: z
    .string('Deve ser um texto')
    .transform(bareAccessKey)
    .check((context) => {
      const problem = context.value === '' ? null : accessKeyProblem(context.value)
      if (problem) context.issues.push({ code: 'custom', message: problem, input: context.value })
    })
    .transform((value) => value || null)
    .nullable()
    .optional(),
  carrier: optionalText(120),
  sent_on: day.nullable().optional(),
  received_on: day.nullable().optional(),
  note: optionalText(2_000),
})
export type PartChange = z.output<typeof partChange>

/** What is missing or contradicts itself of a part that was sent back; null when nothing does. */
export function partIssue({
  state,
  sent_on,
  received_on,
}: {
  state: PartState
  sent_on?: string | null | undefined
  received_on?: string | null | undefined
}): { field: 'sent_on' | 'received_on'; message: string } | null {
  if ((state === 'sent' || state === 'received') && !sent_on)
    return { field: 'sent_on', message: 'Informe o dia da devolução' }
  if (state === 'received' && !received_on)
    return { field: 'received_on', message: 'Informe o dia do recebimento' }
  if (sent_on && received_on && received_on < sent_on)
    return { field: 'received_on', message: 'O recebimento não pode vir antes da devolução' }
  return null
}

export const partReturnView = z.object({
  id,
  claim_id: id,
  line_id: id,
  order_id: id,
  os_number: z.string(),
  part_number: z.string(),
  description: z.string(),
  quantity: z.number(),
  state: z.enum(PART_STATES),
  place: z.string().nullable(),
  /** What the QR code of its label says: the address of the order's claims, with the part. */
  label: z.string(),
  due_on: z.string().nullable(),
  /** The event from which its days will run, while it has not happened. */
  due_awaits: z.enum(WINDOW_EVENTS).nullable(),
  attributed_value: z.number().nullable(),
  certificate_number: z.string().nullable(),
  certificate_issued_on: z.string().nullable(),
  certificate_until: z.string().nullable(),
  invoice_number: z.string().nullable(),
  invoice_key: z.string().nullable(),
  carrier: z.string().nullable(),
  sent_on: z.string().nullable(),
  received_on: z.string().nullable(),
  note: z.string().nullable(),
  version: z.number().int(),
})
export type PartReturnView = z.output<typeof partReturnView>
export const partReturns = listOf(partReturnView)
export type PartReturns = z.output<typeof partReturns>
