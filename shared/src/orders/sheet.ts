import { z } from 'zod'
import { id } from '../fields.ts'

/** What can be printed of one order: the names are those of the address. */
export const ORDER_SHEETS = ['capa', 'termo', 'etiqueta'] as const
export type OrderSheet = (typeof ORDER_SHEETS)[number]
export const ORDER_SHEET: Record<OrderSheet, { label: string; title: string }> = {
  capa: { label: 'Capa da OS', title: 'Capa da ordem de serviço' },
  termo: { label: 'Termo de aceite', title: 'Termo de recebimento e aceite' },
  etiqueta: { label: 'Etiqueta de peça', title: 'Etiqueta de peça substituída' },
}

/** An order as it is printed. */
export const orderSheet = z.object({ id, sheet: z.enum(ORDER_SHEETS, 'Folha desconhecida') })
export type OrderSheetRequest = z.output<typeof orderSheet>

/** Most labels of one order: a line of «Peças substituídas» each. */
export const LABELS_MAX = 24
/** The parts that labels are printed for: the lines of the text, or what semicolons separate; one blank without any. */
export function replacedParts(text: string | null) {
  const parts = (text ?? '')
    .split(/[\n;]/)
    .map((part) => part.replace(/^[\s•*–-]+/, '').trim())
    .filter((part) => part !== '')
  return parts.length === 0 ? [''] : parts.slice(0, LABELS_MAX)
}
