import { randomBytes } from 'node:crypto'
import { AppError } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { MeView } from '@garantia/shared/users/schema'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events.ts'
import { hashPassword } from '../../kernel/passwords.ts'

export async function readMe(ctx: Ctx): Promise<MeView> {
  authorize(ctx.actor, 'account.read')
  if (ctx.actor.kind !== 'user') throw new AppError('unauthenticated', 'Not authenticated')
  const { scope, id } = ctx.actor
  const row = await ctx.db
    .selectFrom('users')
    .where('id', '=', id)
    .select([
      'id',
      'email',
      'cpf',
      'full_name',
      'role',
      'company_id',
      'manager_id',
      'phone',
      'department',
      'position',
      'is_superuser',
      'is_active',
      'last_login_at',
    ])
    .executeTakeFirstOrThrow()
  return {
    ...row,
    last_login_at: row.last_login_at?.toISOString() ?? null,
    scope: scope === 'all' ? 'all' : [...scope],
  }
}

/** Lock key of the one moment in which two servers could both believe that nobody exists. */
const FIRST_SUPERUSER_LOCK = 7_201_001

/**
 * Makes the first superuser of an empty installation, named and given a password by the environment. A
 * generated password is returned, to be shown once; there is no default one.
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
        password_hash: await hashPassword(password),
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
