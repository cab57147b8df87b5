import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

/** Fields of the customer whose values are removed; that they changed, when and by whom, is kept. */
const CUSTOMER = ['customer_name', 'customer_email', 'customer_phone', 'customer_document']

/** Free text, which may name the customer. */
const FREE_TEXT = ['comment']

/** Other texts, of which those that name an anonymised customer are removed (migration 0075). */
const MENTIONING = [
  'problem_description',
  'diagnosis',
  'solution_applied',
  'parts_replaced',
  'description',
  'filename',
  'legal_hold_reason',
  'reason',
  'marks',
]
export const isMentioning = (key: string) => MENTIONING.includes(key)

/** What somebody searched for may name a customer. */
export const isSearch = (subject: string, kind: string, key: string) =>
  subject === 'user' && kind === 'orders.exported' && key === 'search'

/** Whether the law asks to remove the values of this key with the order, or with its customer. */
export const isPersonal = (key: string) => CUSTOMER.includes(key) || FREE_TEXT.includes(key)

/** Events after which the customer's values of the events before them are removed. */
export const REDACTING = { purged: 'purged', anonymised: 'anonymised' } as const

/**
 * Removes the customer's values, and comments, from the trail of an order (LGPD). To be called in the transaction that
 * wrote its newest event, which must be `purged` (then the order must be gone) or `anonymised`; throws otherwise. Of each
 * value its salted hash is kept and the salt is removed: the chain and the dossiers stay valid, and nobody can find out
 * the value by trying. A function of the database does it, with the fields named above (migration 0047): the role in use
 * may not change events.
 */
export async function redactCustomer(ctx: Ctx, order_id: number) {
  await sql`select redact_order_events(${order_id})`.execute(ctx.db)
}

/**
 * Removes the texts that name a customer from the trail of an order whose newest event is `anonymised`, in the same
 * transaction: `mentions` has the names of the values by the number of the event. Throws when that is not so.
 */
export async function redactTexts(
  ctx: Ctx,
  order_id: number,
  mentions: Readonly<Record<number, readonly string[]>>,
) {
  await sql`select redact_order_texts(${order_id}, ${JSON.stringify(mentions)}::jsonb)`.execute(ctx.db)
}

/** Removes what somebody searched for from the events of their exports; who exported, and when, stays. */
export async function redactSearches(ctx: Ctx, event_ids: readonly number[], at: Date) {
  await sql`select redact_exported_searches(${[...event_ids]}::bigint[], ${at})`.execute(ctx.db)
}
