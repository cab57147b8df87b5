import { invalid } from '@garantia/shared/errors'
import type { Assignee } from '@garantia/shared/orders/assignment'
import type { OrderChange } from '@garantia/shared/orders/schema'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { calledAs, maySee, peopleWhoSee } from '../../../kernel/person.ts'
import { inScope } from '../../../kernel/scope.ts'
import { readCompany } from '../../catalogue/companies/service.ts'
import type { OrderRow } from './queries.ts'

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
    peopleWhoSee(ctx.db, company_ids)
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

export const NOT_HERE = 'Pessoa não encontrada entre as que veem esta empresa'

/** How people are called, by id; who is gone is absent. */
export async function namesOfPeople(ctx: Ctx, ids: readonly (number | null)[]) {
  const people = await ctx.db
    .selectFrom('users')
    .where(sql<boolean>`id = any(${ids.filter((id) => id !== null)}::bigint[])`)
    .select(['id', calledAs('users').as('name')])
    .execute()
  return new Map(people.map(({ id, name }) => [id, name]))
}

/** Those of the orders' companies that an active person may see. */
export async function companiesSeenBy(
  ctx: Ctx,
  id: number | null,
  orders: ReadonlyMap<number, Pick<OrderRow, 'company_id'>>,
): Promise<Set<number>> {
  const company_ids = [...new Set([...orders.values()].map(({ company_id }) => company_id))]
  if (id === null || company_ids.length === 0) return new Set()
  const seen = await ctx.db
    .selectFrom('companies')
    .innerJoin('users', (join) => join.on(maySee(sql.ref('companies.id'))))
    .where('users.id', '=', id)
    .where('users.is_active', '=', true)
    .where(sql<boolean>`companies.id = any(${company_ids}::bigint[])`)
    .select('companies.id')
    .execute()
  return new Set(seen.map((company) => company.id))
}

/** Refuses with 422 somebody who may not see the company. */
export async function checkResponsible(ctx: Ctx, id: number | null | undefined, company_id: number) {
  if (!id) return
  const found = await peopleWhoSee(ctx.db, [company_id])
    .where('users.id', '=', id)
    .select('users.id')
    .execute()
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
  const stays = await peopleWhoSee(ctx.db, [company_id])
    .where('users.id', '=', order.responsible_user_id)
    .select('users.id')
    .execute()
  return stays.length > 0 ? undefined : null
}

/** Both names for the trail, which shows people by name; an account may be gone when it is read. */
export async function namesOfResponsible(ctx: Ctx, before: number | null, after: number | null) {
  const names = await namesOfPeople(ctx, [before, after])
  return [before, after].map((id) => (id === null ? null : (names.get(id) ?? null)))
}
