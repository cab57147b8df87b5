import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'

/** True once the database answers; its refusal is the caller's 503. */
export async function checkHealth(ctx: Ctx) {
  await sql`select 1`.execute(ctx.db)
  return true
}
