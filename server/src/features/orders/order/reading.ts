import {
  CUSTOMER_FIELDS,
  type MaskedField,
  masked,
  type RevealedFields,
  seesListsWhole,
  seesOrderWhole,
} from '@garantia/shared/orders/masking'
import type { OrderRow as ListedOrder, OrderView } from '@garantia/shared/orders/schema'
import type { OrderSheetRequest } from '@garantia/shared/orders/sheet'
import { transitionsOf } from '@garantia/shared/orders/transitions'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { prepared } from '../../../kernel/prepared.ts'
import { companiesIn, scopeOf } from '../../../kernel/scope.ts'
import { missingOrder, visibleOrder } from './access.ts'
import { pipelineOf } from './pipeline.ts'
import { presentOrder, presentRows } from './present.ts'
import { listedOrders, shownOrder } from './queries.ts'

/**
 * An order with the entries of its status menu, whole for every caller: for what a brand receives. 404 when it is
 * outside the caller's scope.
 */
export async function readOrder(ctx: Ctx, id: number): Promise<OrderView> {
  const [row] = await shownOrder(ctx.db, { id, companies: companiesIn(scopeOf(ctx.actor)) })
  if (!row) throw await missingOrder(ctx, id)
  authorize(ctx.actor, 'order.read', row)
  const transitions = transitionsOf(ctx.actor, row, await pipelineOf(ctx, row))
  return presentOrder(row, ctx.clock(), transitions)
}

/** The same as answers show it: masked for whoever may not see it whole (D-86). */
export async function readMaskedOrder(ctx: Ctx, id: number): Promise<OrderView> {
  const order = await readOrder(ctx, id)
  return seesOrderWhole(ctx.actor, order) ? order : masked(order)
}

/** The same for a person who looks at it, or whose phone keeps it for later, which is noted in the security log. */
export async function viewOrder(ctx: Ctx, id: number, isKept = false): Promise<OrderView> {
  const order = await readMaskedOrder(ctx, id)
  ctx.securityLog.note(ctx, { kind: isKept ? 'order.kept' : 'order.read', order_id: id })
  return order
}

/**
 * An order as it is printed, which is noted in the security log. Paper leaves the product as an export does: document,
 * phone and email are complete only with the permission `customer.export`. 404 outside the caller's scope.
 */
export async function readSheet(ctx: Ctx, { id, sheet }: OrderSheetRequest): Promise<OrderView> {
  const order = await readMaskedOrder(ctx, id)
  ctx.securityLog.note(ctx, { kind: 'order.printed', order_id: id, details: { sheet } })
  return seesListsWhole(ctx.actor) ? order : masked(order, CUSTOMER_FIELDS)
}

/** The whole values of masked fields; who asked for them is noted once. 404 outside the caller's scope. */
export async function revealFields(ctx: Ctx, { id, fields }: RevealedFields) {
  const order = await visibleOrder(ctx, id)
  ctx.securityLog.note(ctx, { kind: 'order.revealed', order_id: id, details: { field: fields.join(', ') } })
  return Object.fromEntries(fields.map((field) => [field, order[field]])) as Partial<
    Record<MaskedField, string | null>
  >
}

/**
 * The entries of the status menu alone, for clients that do not show the order. 404 outside the caller's
 * scope.
 */
export async function readTransitions(ctx: Ctx, id: number) {
  const order = await visibleOrder(ctx, id)
  const data = transitionsOf(ctx.actor, order, await pipelineOf(ctx, order))
  return { data, count: data.length }
}

/** Visible orders as rows of the list, in the order of the ids; others are omitted. */
export async function readRows(ctx: Ctx, ids: readonly number[]): Promise<ListedOrder[]> {
  if (ids.length === 0) return []
  const rows = await ordersOf(ctx.db, { ids, companies: companiesIn(scopeOf(ctx.actor)) })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return presentRows(
    ctx,
    ids.flatMap((id) => byId.get(id) ?? []),
  )
}

interface Listed extends Record<string, unknown> {
  ids: readonly number[]
  companies: readonly number[] | undefined
}
const ordersOf = prepared((db, { ids, companies }: Listed) =>
  listedOrders({ db, scope: companies ?? 'all' }).where(
    sql<boolean>`service_orders.id = any(${[...ids]}::bigint[])`,
  ),
)
