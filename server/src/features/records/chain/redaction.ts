import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

/** Fields of the customer whose values are removed; that they changed, when and by whom, is kept. */
const CUSTOMER = ['customer_name', 'customer_email', 'customer_phone', 'customer_document']

/** Free text, which may name the customer. */
const FREE_TEXT = ['comment']

/** Whether the law asks to remove the values of this key with the order. */
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
