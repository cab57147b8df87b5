import { z } from 'zod'
import { claimFilter } from './criteria.ts'

const word = z.string().max(2_000).optional()
const flag = z.boolean().optional()
/** A day that moves on: `sent_until` and `due_until` of a view are kept as a distance to the day it is opened on. */
const days = z.number().int().min(-3_650).max(3_650).optional()

/** A named filter of the list: the parameters of its address, without the page. */
const wire = z.object({
  search: z.string().max(200).optional(),
  state: word,
  type: word,
  brand_id: word,
  company_id: word,
  sent_from: word,
  sent_until: word,
  sent_days_ago: days,
  due_until: word,
  due_in_days: days,
  is_open: flag,
  is_overpaid: flag,
  is_unappealed: flag,
  technician: word,
  is_refused: flag,
  refused_from: word,
  refused_until: word,
  refusal_reason: word,
  refused_category: word,
  first_answered_from: word,
  first_answered_until: word,
  is_first_accepted: flag,
  credited_from: word,
  credited_until: word,
  sort: z.string().max(30).optional(),
  direction: z.string().max(4).optional(),
  limit: z.number().int().optional(),
})
export const claimViewCriteria = wire.refine((value) => claimFilter.safeParse(value).success)

/** Days after which a brand that has not answered is asked. */
const SILENT_DAYS = 15

/** Views that every user has. */
export const CLAIM_VIEWS: readonly { name: string; criteria: z.output<typeof wire> }[] = [
  {
    name: `Sem resposta há ${SILENT_DAYS} dias`,
    criteria: { state: 'sent,in_review', sent_days_ago: SILENT_DAYS },
  },
  { name: 'Devolvidas', criteria: { state: 'returned' } },
  {
    name: 'Recusadas sem reconsideração',
    criteria: { state: 'rejected,partial', is_unappealed: true },
  },
  { name: 'A receber', criteria: { is_open: true } },
]
