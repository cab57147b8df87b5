import { z } from 'zod'
import { isChassis } from '../br/vehicle.ts'
import { orderView } from './schema.ts'

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

/** Largest NF-e that is read: as much as the tax authorities take for a lot of them (MOC 7.0). */
export const INVOICE_BYTES = 500_000
export const invoiceFile = z.object({
  xml: z.string().max(INVOICE_BYTES, 'O XML da nota é grande demais'),
})
/** What an order takes from a fiscal document (NF-e, layout 4.00). */
export const invoiceView = z.object({
  number: z.string().nullable(),
  items: z.array(
    z.object({ code: z.string(), description: z.string(), quantity: z.number(), total: z.number() }),
  ),
  /** Reais of the products after discounts; freight, taxes and services on top are not part of it. */
  parts_value: z.number(),
  /** One line per item, for the field of the replaced parts. */
  parts_replaced: z.string(),
  total: z.number().nullable(),
})
export type InvoiceView = z.output<typeof invoiceView>
