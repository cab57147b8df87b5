import { invalid, notFound, ruleViolation } from '@garantia/shared/errors'
import { authorize, type Person } from '@garantia/shared/policy'
import type { SavedView, ViewInput, ViewList } from '@garantia/shared/views/schema'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

const MOST_VIEWS = 50
const TAKEN = {
  orders: 'Este nome já é de uma vista de Solicitações. Escolha outro.',
  claims: 'Este nome já é de uma vista da Lista OS. Escolha outro.',
} satisfies Record<ViewList, string>
const MISSING = 'Vista não encontrada'

/** The caller's own views of a list, then those shared by colleagues of the same company. 401 when anonymous. */
export async function listViews(ctx: Ctx, list: ViewList): Promise<SavedView[]> {
  authorize(ctx.actor, list === 'orders' ? 'order.list' : 'claim.list')
  const me = person(ctx)
  const rows = await ctx.db
    .selectFrom('order_views')
    .innerJoin('users as owner', 'owner.id', 'order_views.owner_id')
    .where('list', '=', list)
    .where(({ or, and, eb }) =>
      or([
        eb('owner_id', '=', me.id),
        and([eb('is_shared', '=', true), eb('owner.company_id', '=', me.company_id)]),
      ]),
    )
    .select(['order_views.id', 'name', 'is_shared', 'owner_id', 'owner.full_name as owner_name', 'criteria'])
    .orderBy(sql`owner_id <> ${me.id}`)
    .orderBy(sql`fold(name)`)
    .orderBy('order_views.id')
    .execute()
  return rows.map(({ owner_id, criteria, ...row }) => ({
    ...row,
    is_mine: owner_id === me.id,
    criteria: criteria as SavedView['criteria'],
  }))
}

/**
 * Saves a view of a list; one of the same name (ignoring case) is replaced. With an id that view is changed, also its
 * name. 422 when a person without company shares it, or for a name that another of their views has; 404 for an id
 * that is not one's own; 400 at the limit of 50 views of a list.
 */
export async function saveView(ctx: Ctx, { id, list, ...input }: ViewInput): Promise<SavedView> {
  authorize(ctx.actor, 'view.change')
  const me = person(ctx)
  const { name, is_shared, criteria } = input
  if (is_shared && me.company_id === null)
    throw invalid('Sua conta não está vinculada a uma empresa com que compartilhar', 'is_shared')
  const view = { name, is_shared, criteria: JSON.stringify(criteria), updated_at: ctx.clock() }
  const saved =
    id === undefined ? await addView(ctx, me, list, view) : await changeView(ctx, me, id, list, view)
  return {
    id: saved,
    name,
    is_shared,
    criteria: input.criteria as SavedView['criteria'],
    is_mine: true,
    owner_name: me.name,
  }
}

type Values = { name: string; is_shared: boolean; criteria: string; updated_at: Date }

async function addView(ctx: Ctx, me: Person, list: ViewList, view: Values) {
  const { others } = await ctx.db
    .selectFrom('order_views')
    .where('owner_id', '=', me.id)
    .where('list', '=', list)
    .where(sql<boolean>`lower(name) <> lower(${view.name})`)
    .select((eb) => eb.fn.countAll<number>().as('others'))
    .executeTakeFirstOrThrow()
  if (others >= MOST_VIEWS)
    throw ruleViolation(`Você já tem ${MOST_VIEWS} vistas salvas. Exclua uma delas antes de salvar outra.`)
  // A name is unique over both lists (migration 0066), so that of the other list's view is left alone.
  const saved = await ctx.db
    .insertInto('order_views')
    .values({ owner_id: me.id, list, ...view })
    .onConflict((conflict) =>
      conflict.expression(sql`owner_id, lower(name)`).doUpdateSet(view).where('order_views.list', '=', list),
    )
    .returning('id')
    .executeTakeFirst()
  if (!saved) throw invalid(TAKEN[list], 'name')
  return saved.id
}

async function changeView(ctx: Ctx, me: Person, id: number, list: ViewList, view: Values) {
  const taken = await ctx.db
    .selectFrom('order_views')
    .where('owner_id', '=', me.id)
    .where('id', '<>', id)
    .where(sql<boolean>`lower(name) = lower(${view.name})`)
    .select('list')
    .executeTakeFirst()
  if (taken) throw invalid(taken.list === list ? 'Você já tem uma vista com este nome.' : TAKEN[list], 'name')
  const { numUpdatedRows } = await ctx.db
    .updateTable('order_views')
    .set(view)
    .where('id', '=', id)
    .where('owner_id', '=', me.id)
    .where('list', '=', list)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw notFound(MISSING)
  return id
}

/** Deletes one of the caller's views. 404 when it does not exist or belongs to someone else. */
export async function removeView(ctx: Ctx, id: number) {
  authorize(ctx.actor, 'view.change')
  const { numDeletedRows } = await ctx.db
    .deleteFrom('order_views')
    .where('id', '=', id)
    .where('owner_id', '=', person(ctx).id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound(MISSING)
  return { message: 'Vista excluída com sucesso.' }
}

/** The caller as a person; 404 for the system, which has no views. */
function person({ actor }: Ctx): Person {
  if (actor.kind !== 'user') throw notFound(MISSING)
  return actor
}
