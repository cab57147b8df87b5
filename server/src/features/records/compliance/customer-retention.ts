import { conflict } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import {
  type CustomerRetention,
  type CustomerRetentionRun,
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
    .select(['months', 'is_applied', 'actor_name', 'changed_at'])
    .executeTakeFirst()
  const months = set?.months ?? DEFAULT_CUSTOMER_MONTHS
  const [listed, counts] = await Promise.all([dueOrders(ctx, months), countDue(ctx, months)])
  return {
    months,
    is_applied: set?.is_applied ?? false,
    actor_name: set?.actor_name ?? null,
    changed_at: set?.changed_at.toISOString() ?? null,
    due: listed.map(({ ended_at, ...order }) => ({ ...order, ended_at: ended_at.toISOString() })),
    ...counts,
  }
}

/**
 * Sets how long; answers with what is over it then. Another time switches the nightly run off, until a superuser has
 * seen what it would do. 403 unless administrator.
 */
export async function setCustomerRetention(
  ctx: Ctx,
  { months }: CustomerRetention,
): Promise<CustomerRetentionView> {
  authorize(ctx.actor, 'privacy.manage')
  const values = { months, ...actorOf(ctx), changed_at: ctx.clock() }
  await ctx.db
    .insertInto('customer_retention')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...values,
        is_applied: sql<boolean>`customer_retention.is_applied and customer_retention.months = ${months}`,
      }),
    )
    .execute()
  return readCustomerRetention(ctx)
}

/**
 * Switches on or off that every night the customers of orders over the time are anonymised. 403 unless superuser; 409
 * when the time has been changed since it was looked at.
 */
export async function switchCustomerRetention(
  ctx: Ctx,
  { months, is_applied }: CustomerRetentionRun,
): Promise<CustomerRetentionView> {
  authorize(ctx.actor, 'privacy.override')
  const view = await readCustomerRetention(ctx)
  const values = { is_applied, ...actorOf(ctx), changed_at: ctx.clock() }
  const row =
    view.months === months
      ? await ctx.db
          .insertInto('customer_retention')
          .values({ months, ...values })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet(values).where('customer_retention.months', '=', months),
          )
          .returning('months')
          .executeTakeFirst()
      : undefined
  if (!row) throw conflict('O prazo foi alterado. Confira a simulação e tente de novo.')
  return readCustomerRetention(ctx)
}

/** Orders whose customer the nightly run anonymises, with what they are found by; none while it is switched off. */
export async function ordersOverTime(ctx: Ctx) {
  const set = await ctx.db
    .selectFrom('customer_retention')
    .where('is_applied', '=', true)
    .select('months')
    .executeTakeFirst()
  if (!set) return { months: 0, orders: [] }
  const orders = await over(ctx, set.months)
    .where('legal_hold_at', 'is', null)
    .where(
      sql<boolean>`not exists (select 1 from privacy_requests r where r.kind = 'anonymise'
        and r.status in ('queued', 'running') and service_orders.id = any (r.orders))`,
    )
    .select(['service_orders.id', 'customer_document', 'customer_email', 'customer_phone'])
    .orderBy('service_orders.id')
    .execute()
  return { months: set.months, orders }
}

const ended = sql<Date>`coalesce(completed_at, cancelled_at)`
/** Orders that ended so many months ago, are over their brand's retention too, and say how to reach their customer. */
const over = (ctx: Ctx, months: number) =>
  ctx.db
    .selectFrom('service_orders')
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`service_orders.status in ('completed', 'cancelled')`)
    .where(sql<boolean>`${ended} < ${ctx.clock()}::timestamptz - make_interval(months => ${months})`)
    .where(
      sql<boolean>`not exists (select 1 from brands b where b.id = service_orders.brand_id
        and completed_at + make_interval(months => b.storage_retention_months) > ${ctx.clock()}::timestamptz)`,
    )
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
