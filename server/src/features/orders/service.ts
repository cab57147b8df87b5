import { conflict, invalid, notFound } from '@garantia/shared/errors'
import { packageLimit } from '@garantia/shared/evidence/budget'
import { checkPackage, isPackageValid } from '@garantia/shared/evidence/validation'
import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import type { OrderFilter, OrderInput, OrderPage, OrderView } from '@garantia/shared/orders/schema'
import { conversionStatusOf, type FileCounts, nextStatus } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../kernel/context.ts'
import { violatedIndex } from '../../kernel/database.ts'
import { recordEvent } from '../../kernel/events.ts'
import { findBrand } from '../brands/service.ts'
import { findCompanyServing } from '../companies/service.ts'
import { type NamedOrder, presentOrder, presentRow } from './present.ts'
import {
  countMatches,
  countOrders,
  findOrder,
  isSearch,
  lockOrder,
  ordersWithNames,
  pageOfIds,
} from './queries.ts'

const MISSING = 'Ordem de serviço não encontrada'

/** Opens an order for a brand and a company of the caller's scope. */
export function openOrder(ctx: Ctx, input: OrderInput): Promise<OrderView> {
  return inTransaction(ctx, async (ctx) => {
    await checkBrandAndCompany(ctx, input)
    authorize(ctx.actor, 'order.open', input)
    const technician_name = await technicianNameFor(ctx, input)
    const created_by = ctx.actor.kind === 'user' ? ctx.actor.id : null
    const { id } = await ctx.db
      .insertInto('service_orders')
      .values({ ...input, technician_name, opened_at: ctx.clock(), created_by })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        if (violatedIndex(error) === 'service_orders_number')
          throw conflict(`Já existe uma OS ${input.os_number} nesta empresa.`)
        throw error
      })
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: id,
      kind: 'opened',
      changes: { os_number: input.os_number },
    })
    return readOrder(ctx, id)
  })
}

/** Choosing a person of the order's company fills the name; free text stays allowed (D-16). */
async function technicianNameFor(ctx: Ctx, { technician_user_id, technician_name, company_id }: OrderInput) {
  if (!technician_user_id) return technician_name
  const technician = await ctx.db
    .selectFrom('users')
    .where('id', '=', technician_user_id)
    .where('company_id', '=', company_id)
    .where('is_active', '=', true)
    .select('full_name')
    .executeTakeFirst()
  if (!technician) throw invalid('Técnico não encontrado nesta empresa', 'technician_user_id')
  return technician_name ?? technician.full_name
}

async function checkBrandAndCompany(ctx: Ctx, { brand_id, company_id }: OrderInput) {
  const brand = await ctx.db
    .selectFrom('brands')
    .where('id', '=', brand_id)
    .select('is_active')
    .executeTakeFirst()
  if (!brand?.is_active) throw invalid('Selecione uma marca', 'brand_id')
  const company = await findCompanyServing(ctx, company_id, brand_id)
  if (!company) throw invalid('Selecione uma empresa', 'company_id')
  if (!company.serves_brand) throw invalid('Esta empresa não atende a marca escolhida', 'company_id')
}

export async function readOrder(ctx: Ctx, id: number): Promise<OrderView> {
  const row = await ordersWithNames(ctx)
    .where('service_orders.id', '=', (await visibleOrder(ctx, id)).id)
    .executeTakeFirstOrThrow()
  return presentOrder(row as NamedOrder, ctx.clock())
}

/** The order's own row, when the caller may see it; absent, deleted and out of scope are one answer. */
export async function visibleOrder(ctx: Ctx, id: number) {
  const order = await findOrder(ctx, id).executeTakeFirst()
  if (!order) throw notFound(MISSING)
  authorize(ctx.actor, 'order.read', order)
  return order
}

/** The same, locked until the transaction ends: whoever changes its files goes one after the other. */
export async function lockedOrder(ctx: Ctx, id: number) {
  const order = await lockOrder(ctx, id)
  if (!order) throw notFound(MISSING)
  return order
}

/** `exact` counts a search to its end, as REST clients page by the total (D-55). */
export async function listOrders(ctx: Ctx, filter: OrderFilter, exact = false): Promise<OrderPage> {
  authorize(ctx.actor, 'order.list')
  const { skip = 0, limit = DEFAULT_LIMIT } = filter
  const { ids, ...counted } = isSearch(filter.search)
    ? await searchedPage(ctx, filter, skip, limit, exact)
    : await countedPage(ctx, filter, skip, limit)
  const rows =
    ids.length === 0 ? [] : await ordersWithNames(ctx).where('service_orders.id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row as NamedOrder]))
  const now = ctx.clock()
  return {
    items: ids.flatMap((id) => byId.get(id) ?? []).map((row) => presentRow(row, now)),
    ...counted,
    skip,
    limit,
  }
}

async function countedPage(ctx: Ctx, filter: OrderFilter, skip: number, limit: number) {
  const total = await countOrders(ctx, filter)
  return { ids: await pageOfIds(ctx, filter, skip, limit, total), total, total_is_exact: true }
}
async function searchedPage(ctx: Ctx, filter: OrderFilter, skip: number, limit: number, exact: boolean) {
  const [ids, counted] = await Promise.all([
    pageOfIds(ctx, filter, skip, limit),
    countMatches(ctx, filter, exact ? null : undefined),
  ])
  return { ids, ...counted }
}

/**
 * Brings status and conversion status in line with the files, under the order's lock. Called by whatever
 * changes a file; called twice it changes nothing more.
 */
export async function recompute(ctx: Ctx, order_id: number) {
  const order = await lockedOrder(ctx, order_id)
  const brand = await findBrand(ctx, order.brand_id)
  const files = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('deleted_at', 'is', null)
    .select([
      'id',
      'file_type',
      'status',
      'evidence_category',
      'converted_key',
      'converted_size',
      'converted_format',
      'duration_seconds',
    ])
    .execute()
  const counts: FileCounts = { pending: 0, converting: 0, converted: 0, failed: 0 }
  for (const file of files) counts[file.status]++
  const isWhole = files.length > 0 && counts.converted === files.length
  const status = nextStatus(
    order.status,
    counts,
    isWhole && isPackageValid(checkPackage(brand, order, files)),
  )
  const conversion_status = conversionStatusOf(
    counts,
    isWhole && (await isVerified(ctx, brand.max_file_size_mb, files)),
  )
  await ctx.db
    .updateTable('service_orders')
    .set((eb) => ({ status, conversion_status, evidence_version: eb('evidence_version', '+', 1) }))
    .where('id', '=', order_id)
    .execute()
  if (status !== order.status)
    await recordEvent(
      { ...ctx, actor: { kind: 'system' } },
      { subject: 'order', subject_id: order_id, kind: 'status', changes: { status: [order.status, status] } },
    )
}

/** Downloadable for certain: every converted object is there in its size, and all fit the brand (D-07). */
async function isVerified(
  ctx: Ctx,
  max_file_size_mb: number,
  files: readonly { converted_key: string | null; converted_size: number | null }[],
) {
  const total = files.reduce((sum, file) => sum + (file.converted_size ?? 0), 0)
  if (total > packageLimit(max_file_size_mb)) return false
  const sizes = await Promise.all(files.map((file) => ctx.storage.size(file.converted_key ?? '')))
  return sizes.every((size, index) => size === files[index]?.converted_size)
}
