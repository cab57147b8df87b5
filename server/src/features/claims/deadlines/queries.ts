import type { VisitFact } from '@garantia/shared/claims/visits'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope } from '../../../kernel/scope.ts'

/** The order and the others of its group as visits, oldest first; dates that were not noted are those of the order. */
export const visitsWith = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('service_orders')
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .leftJoin('defect_visits', 'defect_visits.order_id', 'service_orders.id')
    .leftJoin('defect_groups', 'defect_groups.id', 'defect_visits.group_id')
    .where('service_orders.deleted_at', 'is', null)
    .where(inScope(ctx.actor, 'service_orders.company_id'))
    .where((eb) =>
      eb.or([
        eb('service_orders.id', '=', order_id),
        eb(
          'service_orders.id',
          'in',
          eb
            .selectFrom('defect_visits as own')
            .innerJoin('defect_visits as other', 'other.group_id', 'own.group_id')
            .where('own.order_id', '=', order_id)
            .select('other.order_id'),
        ),
      ]),
    )
    .select(['service_orders.id as order_id', 'os_number', 'problem_description'])
    .select(['defect_visits.group_id', 'defect_groups.title', 'companies.state as federal_state'])
    .select(sql<Date>`coalesce(arrived_at, opened_at)`.as('from'))
    // What was cancelled ended too, without a repair of this company.
    .select(sql<Date | null>`coalesce(repaired_at, completed_at, cancelled_at)`.as('until'))
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
