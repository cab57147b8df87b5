import { z } from 'zod'
import { id, text } from '../fields.ts'
import { day } from '../orders/metrics.ts'
import { positiveAmount } from './money.ts'

/** Money of a line is a list of entries; carry: what an appeal claims instead. */
export const ENTRY_KINDS = ['payment', 'debit', 'write_off', 'carry'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]
export const ENTRY_KIND: Record<EntryKind, string> = {
  payment: 'Pagamento',
  debit: 'Estorno',
  write_off: 'Baixa',
  carry: 'Levado à reconsideração',
}

const reason = text(500).min(1, 'Informe o motivo')
const version = z.number().int().positive().optional()
const entryLines = z
  .array(z.object({ line_id: id, amount: positiveAmount }))
  .min(1, 'Informe ao menos um item')
  .max(200)
  .refine((lines) => new Set(lines.map(({ line_id }) => line_id)).size === lines.length, 'Item repetido')

/**
 * A payment, typed: by line, or one amount that is divided over the lines in proportion to what is still authorised and
 * not paid of each.
 */
export const paymentInput = z
  .object({
    booked_on: day,
    amount: positiveAmount.optional(),
    lines: entryLines.optional(),
    version,
  })
  .refine(({ amount, lines }) => (amount === undefined) !== (lines === undefined), {
    path: ['amount'],
    error: 'Informe o valor total ou o de cada item',
  })
export type PaymentInput = z.output<typeof paymentInput>

/** The day of the brand's credit note; null removes it. */
export const creditNoteInput = z.object({ credit_note_on: day.nullable(), version })
export type CreditNoteInput = z.output<typeof creditNoteInput>

export const debitInput = z.object({ booked_on: day, reason, lines: entryLines, version })
export type DebitInput = z.output<typeof debitInput>

/** Giving up what is missing, by line. */
export const writeOffInput = z.object({ reason, lines: entryLines, version })
export type WriteOffInput = z.output<typeof writeOffInput>

/** Reverses an entry whole; the right one, if any, is entered anew. */
export const entryCorrection = z.object({ entry_id: id, reason, version })
export type EntryCorrection = z.output<typeof entryCorrection>

export const entryView = z.object({
  id,
  line_id: id,
  kind: z.enum(ENTRY_KINDS),
  /** Negative in an entry that reverses another. */
  amount: z.number(),
  booked_on: z.string(),
  reason: z.string().nullable(),
  remittance_id: id.nullable(),
  corrects_id: id.nullable(),
  actor_name: z.string(),
  created_at: z.string(),
})
export type EntryView = z.output<typeof entryView>
