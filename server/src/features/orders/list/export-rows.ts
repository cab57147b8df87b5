import type { ClaimState } from '@garantia/shared/claims/state'
import { TIME_ZONE } from '@garantia/shared/format'
import type { OrderExport } from '@garantia/shared/orders/bulk'
import { type InferResult, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { readByCursor } from '../../../kernel/cursor.ts'
import { calledAs } from '../../../kernel/person.ts'
import { withFiles } from '../order/service.ts'
import { matching } from './criteria.ts'
import { orderedBy, sortingOf } from './queries.ts'

type ExportFilter = Omit<OrderExport, 'format'>
/** What the query selects: a column of the sheet that names another field does not compile. */
type Selected = InferResult<ReturnType<typeof exported>>[number]
export type ExportedOrder = Awaited<ReturnType<typeof withFiles<Selected>>>[number]

/** Reads the orders in the order of the list, from one snapshot, 500 rows at a time. */
export const readInOrder = (ctx: Ctx, filter: ExportFilter): AsyncGenerator<ExportedOrder> =>
  readByCursor(ctx, (ctx) => exported(ctx, filter), withFiles)

const local = (timestamp: ReturnType<typeof sql>) => sql`(${timestamp} at time zone ${sql.lit(TIME_ZONE)})`
function exported(ctx: Ctx, { ids, sort, direction, ...criteria }: ExportFilter) {
  const now = sql`${ctx.clock()}::timestamptz`
  let orders = matching(ctx, ids ? {} : criteria)
  if (ids) orders = orders.where('service_orders.id', 'in', ids)
  return orders
    .innerJoin('brands', 'brands.id', 'service_orders.brand_id')
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .leftJoin('users as responsible', 'responsible.id', 'service_orders.responsible_user_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('claims')
          .whereRef('claims.order_id', '=', 'service_orders.id')
          .where('claims.deleted_at', 'is', null)
          .select(['claims.state', 'claims.due_on'])
          .orderBy('claims.n', 'desc')
          .limit(1)
          .as('newest_claim'),
      (join) => join.onTrue(),
    )
    .select([
      'service_orders.id',
      'os_number',
      'service_orders.status',
      'conversion_status',
      'brands.display_name as brand',
      'companies.trading_name as company',
      'companies.tax_id as company_tax_id',
      'customer_name',
      'customer_document',
      'customer_phone',
      'vehicle_model',
      'vehicle_year',
      'vehicle_plate',
      'vehicle_chassis',
      'vehicle_mileage',
      'technician_name',
      calledAs('responsible').as('responsible'),
      sql<ClaimState | null>`newest_claim.state`.as('claim_state'),
      sql<string | null>`newest_claim.due_on::text`.as('claim_due'),
      'service_value',
      'parts_value',
      'total_value',
      // São Paulo local time as if it were UTC: spreadsheets have no time zones.
      sql<Date>`${local(sql`opened_at`)} at time zone 'UTC'`.as('opened'),
      sql<Date | null>`${local(sql`completed_at`)} at time zone 'UTC'`.as('completed'),
      sql<number>`greatest(0, ${local(sql`coalesce(completed_at, cancelled_at, ${now})`)}::date
        - ${local(sql`opened_at`)}::date)`.as('days_open'),
    ])
    .orderBy(orderedBy(sortingOf({ sort, direction })))
}
