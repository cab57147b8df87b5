import { requiredCategory } from '@garantia/shared/brands/schema'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import type { EvidenceStatus } from '@garantia/shared/evidence/status'
import { missingFiles, needsFiles, type OrderFiles } from '@garantia/shared/orders/conversion-badge'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Ctx } from '../../../kernel/context.ts'

const requirements = requiredCategory.array()
interface Group {
  status: EvidenceStatus
  evidence_category: EvidenceCategory | null
  files: number
}

/** Adds what the screens say about the files of these orders, in one statement; null where they say nothing. */
export async function withFiles<Order extends Pick<OrderRow, 'id' | 'status' | 'conversion_status'>>(
  ctx: Ctx,
  orders: readonly Order[],
): Promise<(Order & { files: OrderFiles | null })[]> {
  const ids = orders.filter(needsFiles).map(({ id }) => id)
  const found = new Map<number, OrderFiles>()
  for (const { id, required_categories, groups } of ids.length > 0 ? await readGroups(ctx, ids) : [])
    found.set(id, filesOf(groups, requirements.parse(required_categories)))
  return orders.map((order) => ({ ...order, files: found.get(order.id) ?? null }))
}

const readGroups = (ctx: Ctx, ids: readonly number[]) =>
  ctx.db
    .selectFrom('service_orders')
    .innerJoin('brands', 'brands.id', 'service_orders.brand_id')
    .where('service_orders.id', 'in', ids)
    .select((eb) => [
      'service_orders.id',
      'required_categories',
      jsonArrayFrom(
        eb
          .selectFrom('evidence_files')
          .whereRef('order_id', '=', 'service_orders.id')
          .where('evidence_files.deleted_at', 'is', null)
          .groupBy(['evidence_files.status', 'evidence_category'])
          .select(['evidence_files.status', 'evidence_category', sql<number>`count(*)::int`.as('files')]),
      )
        .$castTo<Group[]>()
        .as('groups'),
    ])
    .execute()

function filesOf(groups: readonly Group[], required: Parameters<typeof missingFiles>[0]) {
  const sum = (isMeant: (group: Group) => boolean) =>
    groups.filter(isMeant).reduce((total, { files }) => total + files, 0)
  const inState = (state: EvidenceStatus) => sum(({ status }) => status === state)
  return {
    pending: inState('pending'),
    converting: inState('converting'),
    converted: inState('converted'),
    failed: inState('failed'),
    missing: missingFiles(required, (category) => sum((group) => group.evidence_category === category)),
  }
}
