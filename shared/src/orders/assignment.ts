import { z } from 'zod'
import { id } from '../fields.ts'
import { CHOSEN_MAX } from './criteria.ts'

/** Somebody who can be made responsible, and for how many open orders they are already. */
export interface Assignee {
  id: number
  name: string
  open_orders: number
}
/** The companies of the orders that are to be assigned. */
export const assigneesOf = z.object({ company_ids: z.array(id).min(1).max(CHOSEN_MAX) })
