import { conflict } from '@garantia/shared/errors'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

const USER_REMOVAL_LOCK = 7_201_003

/** Two who demote or remove each other at once go one after the other. Taken before any row, or they deadlock. */
export async function lockUserRemoval(ctx: Ctx) {
  await sql`select pg_advisory_xact_lock(${USER_REMOVAL_LOCK})`.execute(ctx.db)
}

/** Only between departures: what it reads must stay true until the caller commits. */
export async function assertOtherSuperuser(ctx: Ctx, leaving: number) {
  const other = await ctx.db
    .selectFrom('users')
    .where('is_superuser', '=', true)
    .where('is_active', '=', true)
    .where('id', '<>', leaving)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (!other) throw conflict('O último superusuário ativo não pode ser removido.')
}
