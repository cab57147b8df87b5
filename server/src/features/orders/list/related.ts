import { otherPlatePattern } from '@garantia/shared/br/vehicle'
import { RELATED_MAX, type RelatedGroup, type RelatedOrders } from '@garantia/shared/orders/related'
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { visibleOrder } from '../order/service.ts'
import { matching } from './criteria.ts'

const NOTHING: RelatedGroup = { orders: [], has_more: false }

/**
 * The newest other orders of the same vehicle, and of the same customer, in the caller's scope. A vehicle is
 * recognised by its chassis, or by its plate in either pattern where one of the orders has no chassis; a customer by
 * CPF or CNPJ. 404 when the order is outside the caller's scope.
 */
export async function readRelated(ctx: Ctx, id: number): Promise<RelatedOrders> {
  const order = await visibleOrder(ctx, id)
  const { vehicle_chassis: chassis, vehicle_plate: plate, customer_document: document } = order
  const vehicle = await newest(ctx, [id], [...ofChassis(chassis), ...ofPlate(plate, chassis)])
  const shown = [id, ...vehicle.orders.map((one) => one.id)]
  return { vehicle, customer: await newest(ctx, shown, ofDocument(document)) }
}

type Condition = RawBuilder<boolean>
/** Found by the index of words, which has every number of an order, and compared with its own column. */
const alike = (number: string, exactly: Condition) =>
  sql<boolean>`(service_orders.search like fold(${`%${number}%`}) and ${exactly})`

const ofChassis = (chassis: string | null) =>
  chassis ? [alike(chassis, sql<boolean>`vehicle_chassis = ${chassis}`)] : []

function ofPlate(plate: string | null, chassis: string | null) {
  if (!plate) return []
  const plates = [plate, otherPlatePattern(plate) ?? plate]
  // The plate of another vehicle, if both chassis are known and differ.
  const unlessOther = chassis ? sql<boolean>`vehicle_chassis is null` : sql<boolean>`true`
  return [alike(plate, sql<boolean>`vehicle_plate = any(${plates}) and ${unlessOther}`)]
}

const ofDocument = (document: string | null) =>
  document ? [alike(document, sql<boolean>`customer_document = ${document}`)] : []

async function newest(ctx: Ctx, without: number[], conditions: Condition[]): Promise<RelatedGroup> {
  if (conditions.length === 0) return NOTHING
  const rows = await matching(ctx, {})
    .where((eb) => eb.or(conditions))
    .where(sql<boolean>`not (service_orders.id = any(${without}))`)
    .innerJoin('brands', 'brands.id', 'service_orders.brand_id')
    .select([
      'service_orders.id',
      'service_orders.os_number',
      'service_orders.status',
      'service_orders.opened_at',
      'service_orders.vehicle_model',
      'brands.display_name as brand',
    ])
    .orderBy('service_orders.opened_at', 'desc')
    .orderBy('service_orders.id', 'desc')
    .limit(sql.lit(RELATED_MAX + 1))
    .execute()
  const orders = rows
    .slice(0, RELATED_MAX)
    .map(({ opened_at, ...row }) => ({ ...row, opened_at: opened_at.toISOString() }))
  return { orders, has_more: rows.length > RELATED_MAX }
}
