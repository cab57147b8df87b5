import type { Ctx } from '../../../kernel/context.ts'

interface SealedHead {
  n: number
  seq: number
  hash: string
  sealed_at: Date | null
  isFound: boolean
}
/** The heads that sealed dossiers contain, by order. */
export async function sealedHeads(ctx: Ctx, only: number | undefined) {
  const rows = await ctx.db
    .selectFrom('dossiers')
    .where('status', '=', 'sealed')
    .where('chain_seq', '>', 0)
    .$if(only !== undefined, (query) => query.where('order_id', '=', only ?? 0))
    .select(['order_id', 'n', 'chain_seq', 'chain_hash', 'sealed_at'])
    .execute()
  const heads = new Map<number, SealedHead[]>()
  for (const { order_id, n, chain_seq, chain_hash, sealed_at } of rows) {
    const known = heads.get(order_id) ?? []
    known.push({ n, seq: chain_seq ?? 0, hash: chain_hash ?? '', sealed_at, isFound: false })
    heads.set(order_id, known)
  }
  return heads
}

/** Orders without any event: each has at least the one that opened it. */
export const ordersWithoutTrail = (ctx: Ctx, only: number | undefined) =>
  ctx.db
    .selectFrom('service_orders')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('events')
            .where('subject', '=', 'order')
            .whereRef('events.subject_id', '=', 'service_orders.id')
            .select('events.id'),
        ),
      ),
    )
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? 0))
    .select(['id', 'created_at'])
    .orderBy('id')
    .limit(1_000)
    .execute()
