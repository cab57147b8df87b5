import { invalid } from '@garantia/shared/errors'
import type { Assignee } from '@garantia/shared/orders/assignment'
import type { OrderChange } from '@garantia/shared/orders/schema'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { calledAs, maySee } from '../../../kernel/person.ts'
import { inScope } from '../../../kernel/scope.ts'
import { readCompany } from '../../catalogue/companies/service.ts'
import type { OrderRow } from './queries.ts'

/** Active people who may see every one of the companies. */
const candidates = (ctx: Ctx, company_ids: readonly number[]) =>
  company_ids.reduce(
    (query, company_id) => query.where(maySee(company_id)),
    ctx.db.selectFrom('users').where('users.is_active', '=', true),
  )

/** How many open orders in the caller's scope each person is responsible for; null counts those of nobody. */
async function openOrders(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('service_orders')
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`status not in ('completed', 'cancelled')`)
    .where(inScope(ctx.actor, 'service_orders.company_id'))
    .groupBy('responsible_user_id')
    .select((eb) => ['responsible_user_id', eb.fn.countAll<number>().as('orders')])
    .execute()
  return new Map(rows.map(({ responsible_user_id, orders }) => [responsible_user_id, orders]))
}

/**
 * Who can be made responsible for orders of all these companies, by name, with how many open orders each has already.
 * 404 when a company is outside the caller's scope.
 */
export async function listAssignees(ctx: Ctx, company_ids: readonly number[]): Promise<Assignee[]> {
  for (const id of company_ids) await readCompany(ctx, id)
  const [people, open] = await Promise.all([
    candidates(ctx, company_ids)
      .select(['users.id', calledAs('users').as('name')])
      .orderBy('name')
      .orderBy('users.id')
      .execute(),
    openOrders(ctx),
  ])
  return people.map(({ id, name }) => ({ id, name: name ?? '', open_orders: open.get(id) ?? 0 }))
}

/**
 * How the open orders in the caller's scope are divided: each person with any, most first, and how many nobody is
 * responsible for.
 */
export async function readWorkload(ctx: Ctx): Promise<{ people: Assignee[]; unassigned: number }> {
  const open = await openOrders(ctx)
  const ids = [...open.keys()].filter((id) => id !== null)
  const people = await ctx.db
    .selectFrom('users')
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .select(['id', calledAs('users').as('name')])
    .orderBy('name')
    .execute()
  return {
    people: people
      .map(({ id, name }) => ({ id, name: name ?? '', open_orders: open.get(id) ?? 0 }))
      .sort((a, b) => b.open_orders - a.open_orders),
    unassigned: open.get(null) ?? 0,
  }
}

const NOT_HERE = 'Pessoa não encontrada entre as que veem esta empresa'
const called = (ctx: Ctx, id: number | null) =>
  id === null
    ? undefined
    : ctx.db.selectFrom('users').where('id', '=', id).select(calledAs('users').as('name')).executeTakeFirst()

/** Refuses with 422 somebody who may not see the company. */
export async function checkResponsible(ctx: Ctx, id: number | null | undefined, company_id: number) {
  if (!id) return
  const found = await candidates(ctx, [company_id]).where('users.id', '=', id).select('users.id').execute()
  if (found.length === 0) throw invalid(NOT_HERE, 'responsible_user_id')
}

/**
 * The responsible person after a change, undefined when unchanged: one who may not see the order's new company is
 * given up. 422 for a new one who may not see it.
 */
export async function responsibleAfter(ctx: Ctx, order: OrderRow, change: OrderChange) {
  const { company_id = order.company_id, responsible_user_id } = change
  if (responsible_user_id !== undefined && responsible_user_id !== order.responsible_user_id) {
    await checkResponsible(ctx, responsible_user_id, company_id)
    return responsible_user_id
  }
  if (company_id === order.company_id || order.responsible_user_id === null) return undefined
  const stays = await candidates(ctx, [company_id])
    .where('users.id', '=', order.responsible_user_id)
    .select('users.id')
    .execute()
  return stays.length > 0 ? undefined : null
}

/** Both names for the trail, which shows people by name; an account may be gone when it is read. */
export async function namesOfResponsible(ctx: Ctx, before: number | null, after: number | null) {
  const [was, is] = [await called(ctx, before), await called(ctx, after)]
  return [was?.name ?? null, is?.name ?? null]
}
