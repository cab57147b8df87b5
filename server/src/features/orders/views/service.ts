import { invalid, notFound, ruleViolation } from '@garantia/shared/errors'
import type { SavedView, ViewInput } from '@garantia/shared/orders/views'
import { authorize, type Person } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

const MOST_VIEWS = 50

/** The caller's own views, then those shared by colleagues of the same company. 401 when anonymous. */
export async function listViews(ctx: Ctx): Promise<SavedView[]> {
  authorize(ctx.actor, 'order.list')
  const me = person(ctx)
  const rows = await ctx.db
    .selectFrom('order_views')
    .innerJoin('users as owner', 'owner.id', 'order_views.owner_id')
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
 * Saves a view; one of the same name (ignoring case) is replaced. 422 when a person without company shares
 * it; 400 at the limit of 50 views.
 */
export async function saveView(ctx: Ctx, { name, is_shared, criteria }: ViewInput): Promise<SavedView> {
  authorize(ctx.actor, 'order-view.change')
  const me = person(ctx)
  if (is_shared && me.company_id === null)
    throw invalid('Sua conta não está vinculada a uma empresa com que compartilhar', 'is_shared')
  const { others } = await ctx.db
    .selectFrom('order_views')
    .where('owner_id', '=', me.id)
    .where(sql<boolean>`lower(name) <> lower(${name})`)
    .select((eb) => eb.fn.countAll<number>().as('others'))
    .executeTakeFirstOrThrow()
  if (others >= MOST_VIEWS)
    throw ruleViolation(`Você já tem ${MOST_VIEWS} vistas salvas. Exclua uma delas antes de salvar outra.`)
  const view = { name, is_shared, criteria: JSON.stringify(criteria), updated_at: ctx.clock() }
  const { id } = await ctx.db
    .insertInto('order_views')
    .values({ owner_id: me.id, ...view })
    .onConflict((conflict) => conflict.expression(sql`owner_id, lower(name)`).doUpdateSet(view))
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, name, is_shared, criteria, is_mine: true, owner_name: me.name }
}

/** Deletes one of the caller's views. 404 when it does not exist or belongs to someone else. */
export async function removeView(ctx: Ctx, id: number) {
  authorize(ctx.actor, 'order-view.change')
  const { numDeletedRows } = await ctx.db
    .deleteFrom('order_views')
    .where('id', '=', id)
    .where('owner_id', '=', person(ctx).id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('Vista não encontrada')
  return { message: 'Vista excluída com sucesso.' }
}

/** The caller as a person; 404 for the system, which has no views. */
function person({ actor }: Ctx): Person {
  if (actor.kind !== 'user') throw notFound('Vista não encontrada')
  return actor
}
