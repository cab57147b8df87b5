import { SAME_DEFECT_MONTHS } from '@garantia/shared/claims/legal-clock'
import type { VisitFact } from '@garantia/shared/claims/visits'
import type { Scope } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope, within } from '../../../kernel/scope.ts'

/** When an order's visit ended: an order that was cancelled ended too, without a repair of this company. */
const ended = sql<Date | null>`coalesce(defect_visits.repaired_at, service_orders.completed_at,
  service_orders.cancelled_at)`

/** The order and the others of its group as visits, oldest first; dates that were not noted are those of the order. */
export const visitsWith = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('service_orders')
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .leftJoin('defect_visits', 'defect_visits.order_id', 'service_orders.id')
    .leftJoin('defect_groups', 'defect_groups.id', 'defect_visits.group_id')
    .where('service_orders.deleted_at', 'is', null)
    .where(inScope(ctx.actor, 'service_orders.company_id'))
    // Not `or`, for which PostgreSQL would read every order.
    .where(
      sql<boolean>`service_orders.id in (
        select ${order_id}::bigint union
        select other.order_id from defect_visits own join defect_visits other on other.group_id = own.group_id
        where own.order_id = ${order_id})`,
    )
    .select(['service_orders.id as order_id', 'os_number', 'problem_description'])
    .select(['defect_visits.group_id', 'defect_groups.title', 'companies.state as federal_state'])
    .select(sql<Date>`coalesce(arrived_at, opened_at)`.as('from'))
    .select(ended.as('until'))
    .orderBy('from')
    .orderBy('service_orders.id')
    .execute()

export const factsOf = (ctx: Ctx, order_ids: readonly number[]) =>
  ctx.db
    .selectFrom('visit_facts')
    .where(sql<boolean>`order_id = any(${[...order_ids]}::bigint[])`)
    .select(['id', 'order_id', 'note', 'actor_name', sql<VisitFact>`kind`.as('kind')])
    .select([sql<string>`from_on::text`.as('from_on'), sql<string | null>`until_on::text`.as('until_on')])
    .orderBy('visit_facts.from_on')
    .orderBy('id')
    .execute()

/** All visits, oldest first, of the groups in a scope that have one which goes on. */
export const runningVisits = ({ db }: Ctx, scope: Scope) =>
  db
    .selectFrom('defect_visits')
    .innerJoin('service_orders', 'service_orders.id', 'defect_visits.order_id')
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .where('service_orders.deleted_at', 'is', null)
    .where(within(scope, 'service_orders.company_id'))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('defect_visits as going')
          .innerJoin('service_orders as open', 'open.id', 'going.order_id')
          .whereRef('going.group_id', '=', 'defect_visits.group_id')
          .where('open.deleted_at', 'is', null)
          .where('going.repaired_at', 'is', null)
          .where('open.completed_at', 'is', null)
          .where('open.cancelled_at', 'is', null)
          .select('open.id'),
      ),
    )
    .select(['defect_visits.group_id', 'defect_visits.order_id', 'companies.state as federal_state'])
    .select([sql<Date>`coalesce(arrived_at, opened_at)`.as('from'), ended.as('until')])
    .orderBy('from')
    .orderBy('defect_visits.order_id')
    .execute()

/** Other orders of the vehicle in its company within twelve months that are in no common group and were not refused. */
export const otherVisits = (
  ctx: Ctx,
  order: { id: number; company_id: number; vehicle_chassis: string | null; opened_at: Date },
  group_id: number | null,
) =>
  ctx.db
    .selectFrom('service_orders')
    .leftJoin('defect_visits', 'defect_visits.order_id', 'service_orders.id')
    .where('service_orders.vehicle_chassis', '=', order.vehicle_chassis)
    .where('service_orders.company_id', '=', order.company_id)
    .where('service_orders.id', '<>', order.id)
    .where('service_orders.deleted_at', 'is', null)
    .where('status', '<>', 'cancelled')
    .where(sql<boolean>`opened_at between ${order.opened_at}::timestamptz - make_interval(months => ${sql.lit(SAME_DEFECT_MONTHS)})
      and ${order.opened_at}::timestamptz + make_interval(months => ${sql.lit(SAME_DEFECT_MONTHS)})`)
    .where(
      sql<boolean>`(${group_id}::bigint is null or defect_visits.group_id is distinct from ${group_id}::bigint)`,
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('defect_refusals')
            .where(sql<boolean>`defect_refusals.order_id = least(service_orders.id, ${order.id}::bigint)`)
            .where(
              sql<boolean>`defect_refusals.with_order_id = greatest(service_orders.id, ${order.id}::bigint)`,
            )
            .select('defect_refusals.order_id'),
        ),
      ),
    )
    .select(['service_orders.id as order_id', 'os_number', 'problem_description'])
    .select([sql<Date>`coalesce(arrived_at, opened_at)`.as('from'), ended.as('until')])
    .orderBy('from', 'desc')
    .limit(sql.lit(50))
    .execute()
export type VisitRow = Awaited<ReturnType<typeof visitsWith>>[number]

/** What is noted of an order's visit; undefined when nothing is. */
export const visitOf = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('defect_visits')
    .where('order_id', '=', order_id)
    .select(['group_id', 'arrived_at', 'repaired_at'])
    .executeTakeFirst()
