import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { hashPassword } from '../../../kernel/passwords.ts'

/** Lock key: two servers starting at once must not both create the first superuser. */
const FIRST_SUPERUSER_LOCK = 7_201_001

/**
 * Creates the first superuser when there are no people, named by the environment; null otherwise. There is no
 * default password: a generated one is returned, to be shown once.
 */
export function createFirstSuperuser(ctx: Ctx): Promise<{ email: string; password: string | null } | null> {
  return inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(${FIRST_SUPERUSER_LOCK})`.execute(ctx.db)
    const anyone = await ctx.db.selectFrom('users').select('id').limit(1).executeTakeFirst()
    if (anyone) return null
    const { FIRST_SUPERUSER: email, FIRST_SUPERUSER_PASSWORD: chosen } = ctx.config
    const password = chosen ?? randomBytes(15).toString('base64url')
    const { id } = await ctx.db
      .insertInto('users')
      .values({
        email,
        full_name: 'Administrador',
        role: 'admin',
        is_superuser: true,
        password_hash: await hashPassword(password, 'system'),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordEvent(ctx, {
      subject: 'user',
      subject_id: id,
      kind: 'created',
      changes: { is_superuser: true },
    })
    return { email, password: chosen ? null : password }
  })
}
