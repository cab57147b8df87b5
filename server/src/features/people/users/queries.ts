import type { DB } from '@garantia/migrations/schema'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope } from '../../../kernel/scope.ts'
import { contains } from '../../../kernel/search.ts'

/** Whether a person has a second factor or a passkey. */
export const hasFactor = (eb: ExpressionBuilder<DB, 'users'>) =>
  eb
    .or([
      eb.exists(
        eb
          .selectFrom('totp_secrets')
          .whereRef('totp_secrets.user_id', '=', 'users.id')
          .where('confirmed_at', 'is not', null)
          .select('user_id'),
      ),
      eb.exists(eb.selectFrom('passkeys').whereRef('passkeys.user_id', '=', 'users.id').select('id')),
    ])
    .as('has_factor')

/**
 * People of the companies in the caller's scope; people without a company are visible only to administrators.
 */
export const visibleUsers = (ctx: Ctx) =>
  ctx.db.selectFrom('users').where(inScope(ctx.actor, 'users.company_id'))

/** Visible people that match every word of the search. */
export function matchingUsers(ctx: Ctx, search: string | undefined) {
  let query = visibleUsers(ctx)
  for (const word of (search ?? '').split(/\s+/).filter(Boolean))
    query = query.where(contains(sql.ref('users.search'), word))
  return query
}

/** A query for one person: of the companies in the caller's scope, or the caller. */
export const findUser = (ctx: Ctx, id: number) => {
  const self = ctx.actor.kind === 'user' && ctx.actor.id === id
  const query = ctx.db.selectFrom('users').where('users.id', '=', id)
  return self ? query : query.where(inScope(ctx.actor, 'users.company_id'))
}

/** Number of orders, files and subordinates that reference a person. */
export async function countDependents(ctx: Ctx, id: number) {
  const { rows } = await sql<{ orders: number; files: number; team: number }>`
    select
      (select count(*) from service_orders where created_by = ${id} or technician_user_id = ${id} or deleted_by = ${id}) as orders,
      (select count(*) from evidence_files where uploaded_by = ${id} or deleted_by = ${id}) as files,
      (select count(*) from users where manager_id = ${id}) as team`.execute(ctx.db)
  return rows[0] ?? { orders: 0, files: 0, team: 0 }
}
