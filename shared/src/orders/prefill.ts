import { z } from 'zod'
import { isChassis } from '../br/vehicle.ts'
import { counted } from '../format.ts'
import { orderView, TEXT_MAX } from './schema.ts'

export const chassisQuestion = z.object({
  chassis: z
    .string()
    .transform((text) => text.trim().toUpperCase())
    .refine(isChassis, 'Chassi deve ter 17 caracteres'),
})

/** Vehicle and customer of an earlier order, offered for a new one of the same chassis. */
export const earlierOrder = orderView.pick({
  id: true,
  os_number: true,
  opened_at: true,
  brand_id: true,
  vehicle_model: true,
  vehicle_year: true,
  vehicle_color: true,
  vehicle_plate: true,
  customer_name: true,
  customer_phone: true,
  customer_email: true,
  customer_document: true,
})
export type EarlierOrder = z.output<typeof earlierOrder>

/** Largest file of an NF-e that is read: 990 items with the groups of all taxes, as UTF-16. */
export const INVOICE_BYTES = 8_000_000
/** Characters that are sent of it, which fit into a request: the screen leaves out the taxes of the items. */
const INVOICE_TEXT = 900_000
export const invoiceFile = z.object({
  xml: z.string().max(INVOICE_TEXT, 'O XML da nota é grande demais'),
})
/** What an order takes from a fiscal document (NF-e, layout 4.00). */
export const invoiceView = z.object({
  number: z.string().nullable(),
  items: z.array(
    z.object({
      code: z.string(),
      description: z.string(),
      quantity: z.number(),
      total: z.number(),
      /** False of an item whose value the note does not count (indTot 0), as of a gift. */
      is_in_total: z.boolean(),
    }),
  ),
  /** Reais of the counted products after discounts; freight, taxes and services on top are not part of it. */
  parts_value: z.number(),
  /** One line per item, for the field of the replaced parts; its end says how many items did not fit. */
  parts_replaced: z.string(),
  /** Items that did not fit. */
  left_out: z.number().int(),
  /** What the note comes to, with IBS, CBS and IS where it has them. */
  total: z.number().nullable(),
})
export type InvoiceView = z.output<typeof invoiceView>

const quantities = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 10 })
const partLine = ({ code, description, quantity }: InvoiceView['items'][number]) =>
  `${quantities.format(quantity)} × ${description}${code && ` (${code})`}`
const restLine = (count: number) => `… e mais ${counted(count, 'item', 'itens')} da nota`

/** The items as lines of at most so many characters in all; none is cut, and a last line counts those left out. */
export function partLines(items: InvoiceView['items'], room = TEXT_MAX) {
  const lines = items.map(partLine)
  const text = lines.join('\n')
  if (text.length <= room) return { text, left_out: 0 }
  let free = room - restLine(items.length).length
  if (free < 0) return { text: '', left_out: items.length }
  const end = lines.findIndex((line) => {
    free -= line.length + 1
    return free < 0
  })
  const left_out = items.length - end
  return { text: [...lines.slice(0, end), restLine(left_out)].join('\n'), left_out }
}
