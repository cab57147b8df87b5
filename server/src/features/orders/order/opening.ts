import { createHash } from 'node:crypto'
import { conflict, invalid } from '@garantia/shared/errors'
import { KEPT_HOURS, KEY_HEADER, KEY_USED } from '@garantia/shared/orders/opening'
import type { OrderInput } from '@garantia/shared/orders/schema'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope } from '../../../kernel/scope.ts'

const HOUR_MS = 3_600_000
const oldest = (ctx: Ctx) => new Date(ctx.clock().getTime() - KEPT_HOURS * HOUR_MS)

/**
 * Takes the key for an opening in this transaction; another one with the same key waits until it has ended. Returns the
 * id of the order that the key has opened within the last 24 hours, else undefined. 422 when that was with other data, 409 when the order is gone.
 */
export async function takeKey(ctx: Ctx, user_id: number, key: string, input: OrderInput) {
  const input_hash = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  const taken = await ctx.db
    .insertInto('opening_keys')
    .values({ user_id, key, input_hash, at: ctx.clock() })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet({ input_hash, at: ctx.clock(), order_id: null })
        .where('opening_keys.at', '<=', oldest(ctx)),
    )
    .returning('key')
    .executeTakeFirst()
  if (taken) return undefined
  const { order_id, input_hash: former } = await openingOf(ctx, user_id, key)
  if (former !== input_hash) throw invalid(KEY_USED, 'header', KEY_HEADER)
  if (order_id === null) throw conflict('A OS que esta chave abriu não está mais disponível.')
  return order_id
}

const openingOf = (ctx: Ctx, user_id: number, key: string) =>
  ctx.db
    .selectFrom('opening_keys')
    .leftJoin('service_orders', (join) =>
      join
        .onRef('service_orders.id', '=', 'opening_keys.order_id')
        .on('service_orders.deleted_at', 'is', null)
        .on(inScope(ctx.actor, 'service_orders.company_id')),
    )
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .select(['service_orders.id as order_id', 'input_hash'])
    .executeTakeFirstOrThrow()

/** Notes which order a key has opened. */
export const noteOpened = (ctx: Ctx, user_id: number, key: string, order_id: number) =>
  ctx.db
    .updateTable('opening_keys')
    .set({ order_id })
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .execute()

/** Deletes keys older than 24 hours. */
export const forgetOldOpenings = (ctx: Ctx) =>
  ctx.db.deleteFrom('opening_keys').where('at', '<=', oldest(ctx)).execute()
