import { z } from 'zod'
import { id } from '../fields.ts'

/** One page of an order's history, newest first; `before` is the last id already read. */
export const historyFilter = z.object({
  id,
  before: id.optional(),
  limit: z.number().int().min(1).max(100).optional(),
})
export type HistoryFilter = z.output<typeof historyFilter>

export const historyEvent = z.object({
  id: z.number(),
  /** «opened», «changed», «status», «removed», «evidence.uploaded», … */
  kind: z.string(),
  at: z.string(),
  actor_name: z.string(),
  /** Data of the event; a changed field is [before, after]. */
  changes: z.record(z.string(), z.unknown()),
})
export type HistoryEvent = z.output<typeof historyEvent>

export const historyPage = z.object({ events: z.array(historyEvent), has_more: z.boolean() })
export type HistoryPage = z.output<typeof historyPage>
