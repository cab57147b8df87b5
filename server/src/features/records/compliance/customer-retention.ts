import { authorize } from '@garantia/shared/policy'
import {
  type CustomerRetention,
  type CustomerRetentionView,
  DEFAULT_CUSTOMER_MONTHS,
  DUE_LISTED,
} from '@garantia/shared/privacy/customer-retention'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { actorOf } from './actor.ts'

/**
 * How long customers' data are kept after an order has ended, and which orders are over it. Nothing is removed by
 * reading. 403 unless administrator.
 */
export async function readCustomerRetention(ctx: Ctx): Promise<CustomerRetentionView> {
  authorize(ctx.actor, 'privacy.manage')
  const set = await ctx.db
    .selectFrom('customer_retention')
    .select(['months', 'actor_name', 'changed_at'])
    .executeTakeFirst()
  const months = set?.months ?? DEFAULT_CUSTOMER_MONTHS
  const [listed, counts] = await Promise.all([dueOrders(ctx, months), countDue(ctx, months)])
  return {
    months,
    actor_name: set?.actor_name ?? null,
    changed_at: set?.changed_at.toISOString() ?? null,
    due: listed.map(({ ended_at, ...order }) => ({ ...order, ended_at: ended_at.toISOString() })),
    ...counts,
  }
}

/** Sets how long; answers with what is over it then. 403 unless administrator. */
export async function setCustomerRetention(
  ctx: Ctx,
  { months }: CustomerRetention,
): Promise<CustomerRetentionView> {
  authorize(ctx.actor, 'privacy.manage')
  const values = { months, ...actorOf(ctx), changed_at: ctx.clock() }
  await ctx.db
    .insertInto('customer_retention')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  return readCustomerRetention(ctx)
}

const ended = sql<Date>`coalesce(completed_at, cancelled_at)`
/** Orders that ended so many months ago and still say how to reach their customer. */
const over = (ctx: Ctx, months: number) =>
  ctx.db
    .selectFrom('service_orders')
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`service_orders.status in ('completed', 'cancelled')`)
    .where(sql<boolean>`${ended} < ${ctx.clock()}::timestamptz - make_interval(months => ${months})`)
    .where(sql<boolean>`coalesce(customer_document, customer_phone, customer_email) is not null`)

const dueOrders = (ctx: Ctx, months: number) =>
  over(ctx, months)
    .where('legal_hold_at', 'is', null)
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .select(['service_orders.id', 'os_number', 'companies.trading_name as company', ended.as('ended_at')])
    .orderBy(ended)
    .orderBy('service_orders.id')
    .limit(DUE_LISTED)
    .execute()

const countDue = (ctx: Ctx, months: number) =>
  over(ctx, months)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('legal_hold_at', 'is', null).as('due_count'),
      fn.countAll<number>().filterWhere('legal_hold_at', 'is not', null).as('held_count'),
    ])
    .executeTakeFirstOrThrow()
