import type { HistoryEvent } from '@garantia/shared/orders/history'
import { FIELD_NAMES, type OrderFields } from './order-form-schema.ts'

type FieldName = keyof OrderFields

/** A field that somebody else changed in the meantime. */
export interface Clash {
  name: FieldName
  theirs: string
  /** Null when this user did not change the field. */
  mine: string | null
}

/**
 * Fields that differ between the order as it was read and as it is now, with this user's own input (D-49).
 */
export const clashesOf = (before: OrderFields, mine: OrderFields, theirs: OrderFields): Clash[] =>
  FIELD_NAMES.filter((name) => theirs[name] !== before[name]).map((name) => ({
    name,
    theirs: theirs[name],
    mine: mine[name] !== before[name] && mine[name] !== theirs[name] ? mine[name] : null,
  }))

/** For each field the latest event that changed it; events are newest first. */
export function authorsOf(events: readonly HistoryEvent[]) {
  const authors = new Map<string, HistoryEvent>()
  for (const event of events)
    for (const name of Object.keys(event.changes)) if (!authors.has(name)) authors.set(name, event)
  return authors
}
