import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { isStranded } from '../../../kernel/stranded.ts'
import { notify } from '../../people/notifications/service.ts'
import { rowOf } from './requests.ts'

const FAILED = {
  anonymise: 'Não foi possível terminar a anonimização. Peça-a de novo: o que já foi feito fica feito.',
  export: 'Não foi possível terminar a exportação. Peça-a de novo.',
}

/** Records why a request could not be finished, and removes what was stored of it. */
export async function failRequest(ctx: Ctx, id: number, error?: string) {
  const row = await rowOf(ctx, id)
  if (!row || (row.status !== 'queued' && row.status !== 'running')) return
  if (row.key) await ctx.storage.remove(row.key)
  const why = error ?? (row.kind === 'export' ? FAILED.export : FAILED.anonymise)
  await inTransaction(ctx, async (ctx) => {
    const failed = await ctx.db
      .updateTable('privacy_requests')
      .set({ status: 'failed', error: why, finished_at: ctx.clock(), key: null })
      .set({ encrypted_subject: null, encrypted_forms: null })
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .returning('id')
      .executeTakeFirst()
    if (failed && row.kind === 'export') await tellRequester(ctx, 'subject.failed', row, why)
  })
}

/** Tells who asked, who may have left the page; with a reason, or the numbers of the orders. */
export async function tellRequester(
  ctx: Ctx,
  kind: 'subject.ready' | 'subject.failed',
  { user_id, orders }: { user_id: number | null; orders: readonly number[] },
  reason?: string,
) {
  const existing = await ctx.db
    .selectFrom('service_orders')
    .where('id', 'in', [...orders])
    .where('deleted_at', 'is', null)
    .select(['id', 'os_number'])
    .orderBy('id')
    .execute()
  const [first] = existing
  const text = reason ?? existing.map(({ os_number }) => os_number).join(', ')
  if (first)
    await notify({ ...ctx, actor: { kind: 'system' } }, [user_id], { kind, order_id: first.id, text })
}

/** Fails the requests whose job no longer exists, so that none stays under way for ever. */
export async function failStrandedRequests(ctx: Ctx) {
  const stranded = await ctx.db
    .selectFrom('privacy_requests')
    .where('status', 'in', ['queued', 'running'])
    .where(isStranded({ id: 'privacy_requests.id', key: 'privacy:', since: 'privacy_requests.created_at' }))
    .select('id')
    .execute()
  for (const { id } of stranded) await failRequest(ctx, id)
}
