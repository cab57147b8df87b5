import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

/** Fields of the customer whose values are removed; that they changed, when and by whom, is kept. */
const CUSTOMER = ['customer_name', 'customer_email', 'customer_phone', 'customer_document']

/** Free text, which may name the customer. */
const FREE_TEXT = ['comment']

/** Whether the law asks to remove the values of this key with the order. */
export const isPersonal = (key: string) => CUSTOMER.includes(key) || FREE_TEXT.includes(key)

/**
 * Removes the customer's values, and comments, from the trail of an order that was deleted for good at `at`, the moment
 * of its event `purged` (LGPD). Of each value its salted hash is kept and the salt is removed: the chain and the seals
 * of dossiers stay valid, and nobody can find out the value by trying. Removed values of an order that exists are a
 * fault that `verifyChains` names.
 */
export async function redactCustomer(ctx: Ctx, order_id: number, at: Date) {
  const keys = [...CUSTOMER, ...FREE_TEXT]
  await sql`
    update events set redacted_at = ${at},
      salts = salts - ${keys}::text[],
      commitments = commitments || (
        select jsonb_object_agg(key, sha256_of(jsonb_build_array(key, value, salts -> key)::text))
        from jsonb_each(changes) where key = any(${keys})),
      changes = (
        select jsonb_object_agg(key, case
            when key = any(${CUSTOMER}) then '["removido", "removido"]'
            when key = any(${FREE_TEXT}) then '"removido"'
            else value end)
        from jsonb_each(changes))
    where subject = 'order' and subject_id = ${order_id} and redacted_at is null
      and jsonb_exists_any(changes, ${keys})`.execute(ctx.db)
}
