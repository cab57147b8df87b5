import { z } from 'zod'
import { id, text } from '../fields.ts'

/** Under legal hold nothing of an order is deleted: neither by hand, nor from the bin, nor by retention. */
export const isUnderLegalHold = ({ legal_hold_at }: { legal_hold_at: Date | null }) => legal_hold_at !== null
export const UNDER_LEGAL_HOLD = 'OS em retenção judicial: nada pode ser excluído até a liberação'

const HOLD_REASON_MAX = 500
export const holdInput = z.object({
  id,
  reason: text(HOLD_REASON_MAX, `Motivo deve ter no máximo ${HOLD_REASON_MAX} caracteres`).min(
    1,
    'Informe o motivo da retenção',
  ),
})

export const holdView = z.object({
  is_held: z.boolean(),
  held_at: z.string().nullable(),
  held_by: z.string().nullable(),
  reason: z.string().nullable(),
})
export type HoldView = z.output<typeof holdView>
