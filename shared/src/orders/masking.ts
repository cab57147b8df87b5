import { z } from 'zod'
import { maskAllBut, maskEmail } from '../br/mask.ts'
import { isPhone } from '../br/phone.ts'
import { bareTaxId, isCustomerDocument } from '../br/tax-id.ts'
import { CHASSIS_SHOWN, isChassis, maskChassis } from '../br/vehicle.ts'
import { id } from '../fields.ts'
import { type Actor, can, type OwnedOrder } from '../policy.ts'

/** Personal data of an order that not everybody sees whole. */
export const MASKED_FIELDS = [
  'vehicle_chassis',
  'customer_document',
  'customer_phone',
  'customer_email',
] as const
export type MaskedField = (typeof MASKED_FIELDS)[number]
/** Of these, what says who the customer is and how to reach them. */
export const CUSTOMER_FIELDS = ['customer_document', 'customer_phone', 'customer_email'] as const

/** So many of the last characters are shown. */
export const SHOWN_END = { vehicle_chassis: CHASSIS_SHOWN, customer_document: 4, customer_phone: 4 } as const
const lastFour = (text: string) => maskAllBut(4, text)
const SHAPE: Record<MaskedField, (text: string) => string> = {
  vehicle_chassis: maskChassis,
  customer_document: lastFour,
  customer_phone: lastFour,
  customer_email: maskEmail,
}

/** Whether lists, searches and exports are whole for this person: managers and above (D-38, D-86). */
export const seesListsWhole = (actor: Actor) => can(actor, 'customer.export')
/** Whether one order is whole for this person: also a technician's own, who calls its customer and fills its form. */
export const seesOrderWhole = (actor: Actor, order: OwnedOrder) => can(actor, 'customer.read', order)

/** Whether a word without punctuation can be a whole document, phone or chassis. */
export const isMaskedWhole = (word: string) =>
  isCustomerDocument(bareTaxId(word)) || isPhone(word) || isChassis(word.toUpperCase())

type Maskable = { [Field in MaskedField]?: string | null }
/** A copy with these fields masked, those that it has. */
export function masked<Row extends object>(row: Row, fields: readonly MaskedField[] = MASKED_FIELDS): Row {
  const copy: Row & Maskable = { ...row }
  for (const field of fields) {
    const text = copy[field]
    if (text) Object.assign(copy, { [field]: SHAPE[field](text) })
  }
  return copy
}

/** Changes of an event, [before, after] or one value each, with these fields masked. */
export function maskedChanges(changes: Record<string, unknown>): Record<string, unknown> {
  const copy = { ...changes }
  for (const field of MASKED_FIELDS) {
    const hidden = (value: unknown) => (typeof value === 'string' ? SHAPE[field](value) : value)
    const value = copy[field]
    if (value !== undefined) copy[field] = Array.isArray(value) ? value.map(hidden) : hidden(value)
  }
  return copy
}

/** What somebody asks to see whole: one press, one entry of the security log. */
export const revealedFields = z.object({
  id,
  fields: z.array(z.enum(MASKED_FIELDS, 'Campo desconhecido')).min(1).max(MASKED_FIELDS.length),
})
export type RevealedFields = z.output<typeof revealedFields>
