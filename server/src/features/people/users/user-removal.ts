import { conflict } from '@garantia/shared/errors'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

const USER_REMOVAL_LOCK = 7_201_003

/**
 * Serializes removals of people, so that two superusers cannot remove each other at the same time. To be
 * called before any row is locked, or they deadlock.
 */
export async function lockUserRemoval(ctx: Ctx) {
  await sql`select pg_advisory_xact_lock(${USER_REMOVAL_LOCK})`.execute(ctx.db)
}

/** 409 when no other active superuser exists. Valid until the commit only under `lockUserRemoval`. */
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
