import { randomBytes } from 'node:crypto'
import type { Users } from '@garantia/migrations/schema'
import { conflict, forbidden, invalid, notFound } from '@garantia/shared/errors'
import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import { counted } from '@garantia/shared/format'
import { authorize, can } from '@garantia/shared/policy'
import {
  lacksManager,
  type UserChange,
  type UserFilter,
  type UserInput,
  type UserView,
} from '@garantia/shared/users/schema'
import { type Selectable, sql, type Updateable } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { violatedIndex } from '../../../kernel/database.ts'
import { differences, recordEvent } from '../../../kernel/events.ts'
import { hashPassword } from '../../../kernel/passwords.ts'
import { inScope } from '../../../kernel/scope.ts'
import { countDependents, findUser, matchingUsers, USER_COLUMNS } from './queries.ts'
import { assertOtherSuperuser, lockUserRemoval } from './user-removal.ts'

export { USER_COLUMNS } from './queries.ts'

const MISSING = 'Usuário não encontrado'
const TAKEN = 'Já existe um usuário com este email.'
type UserRow = Pick<Selectable<Users>, keyof UserView>

export const presentUser = (row: UserRow): UserView => ({
  ...row,
  last_login_at: row.last_login_at?.toISOString() ?? null,
})

export async function listUsers(ctx: Ctx, { skip = 0, limit = DEFAULT_LIMIT, search }: UserFilter) {
  authorize(ctx.actor, 'user.list')
  const [rows, { count }] = await Promise.all([
    matchingUsers(ctx, search)
      .leftJoin('companies', 'companies.id', 'users.company_id')
      .select([...USER_COLUMNS, 'companies.trading_name as company_name'])
      .orderBy(sql`lower(users.full_name)`)
      .orderBy('users.id')
      .offset(skip)
      .limit(limit)
      .execute(),
    matchingUsers(ctx, search)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return {
    data: rows.map(({ company_name, ...row }) => ({ ...presentUser(row), company_name })),
    count,
  }
}

/** Who may be chosen as responsible manager: active managers and admins of the caller's scope (ADM-34). */
export async function listManagers(ctx: Ctx, except?: number) {
  authorize(ctx.actor, 'user.list')
  const rows = await ctx.db
    .selectFrom('users')
    .where(inScope(ctx.actor, 'users.company_id'))
    .where('is_active', '=', true)
    .where('role', 'in', ['manager', 'admin'])
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? 0))
    .select(['id', 'full_name', 'role', 'company_id'])
    .orderBy(sql`lower(full_name)`)
    .limit(DEFAULT_LIMIT)
    .execute()
  return { data: rows, count: rows.length }
}

export async function readUser(ctx: Ctx, id: number): Promise<UserView> {
  const row = await findUser(ctx, id).select(USER_COLUMNS).executeTakeFirst()
  if (!row) throw notFound(MISSING)
  authorize(ctx.actor, 'user.read', row)
  return presentUser(row)
}

/** Adds a person. A manager adds technicians of their own, who report to them. */
export async function createUser(ctx: Ctx, { password, ...input }: UserInput): Promise<UserView> {
  authorize(ctx.actor, 'user.open', input)
  const manager_id =
    ctx.actor.kind === 'user' && !can(ctx.actor, 'user.change-rights')
      ? ctx.actor.id
      : input.role === 'technician'
        ? (input.manager_id ?? null)
        : null
  const password_hash = await hashPassword(password)
  return inTransaction(ctx, async (ctx) => {
    await checkCompanyAndManager(ctx, { company_id: input.company_id, manager_id })
    const row = await ctx.db
      .insertInto('users')
      .values({ ...input, manager_id, password_hash })
      .returning(USER_COLUMNS)
      .executeTakeFirstOrThrow()
      .catch(translateTaken)
    const { id, email, role, company_id, is_superuser } = row
    await recordEvent(ctx, {
      subject: 'user',
      subject_id: id,
      kind: 'created',
      changes: { email, role, company_id, is_superuser },
    })
    return presentUser(row)
  })
}

/** Fields a manager may touch on a technician of their own (D-38). */
const MANAGERS_FIELDS = ['full_name', 'phone', 'department', 'position', 'is_active']

export async function changeUser(
  ctx: Ctx,
  id: number,
  { password, ...change }: UserChange,
): Promise<UserView> {
  const password_hash = password ? await hashPassword(password) : undefined
  return inTransaction(ctx, async (ctx) => {
    if (change.is_superuser === false || change.is_active === false) await lockUserRemoval(ctx)
    const before = await lockedUser(ctx, id)
    authorize(ctx.actor, 'user.change', before)
    const touched = Object.keys(change).filter((field) => change[field as keyof typeof change] !== undefined)
    if (
      !can(ctx.actor, 'user.change-rights') &&
      (password_hash || touched.some((field) => !MANAGERS_FIELDS.includes(field)))
    )
      throw forbidden()
    if (change.is_superuser !== undefined && change.is_superuser !== before.is_superuser)
      authorize(ctx.actor, 'user.grant-superuser')
    const after = { ...before, ...defined(change) }
    const manager_id = after.role === 'technician' ? after.manager_id : null
    const lack =
      (touched.includes('role') || touched.includes('manager_id')) &&
      lacksManager({ role: after.role, manager_id })
    if (lack) throw invalid(lack, 'manager_id')
    if (manager_id === id) throw invalid('O usuário não pode ser o próprio gestor', 'manager_id')
    await checkCompanyAndManager(ctx, {
      company_id: touched.includes('company_id') ? after.company_id : null,
      manager_id: touched.includes('manager_id') ? manager_id : null,
    })
    if (before.is_superuser && before.is_active && !(after.is_superuser && after.is_active))
      await assertOtherSuperuser(ctx, id)
    const row = await writeUser(ctx, before, {
      ...change,
      manager_id,
      ...(password_hash && { password_hash }),
    })
    if (!row.is_active || password_hash) await revokeAccess(ctx, id)
    return presentUser(row)
  })
}

/** Removes a person nobody's work depends on; anyone else is deactivated instead (D-17). */
export function removeUser(ctx: Ctx, id: number) {
  return inTransaction(ctx, async (ctx) => {
    await lockUserRemoval(ctx)
    const user = await lockedUser(ctx, id, 'removal')
    authorize(ctx.actor, 'user.delete', user)
    if (user.is_superuser && user.is_active) await assertOtherSuperuser(ctx, id)
    const { orders, files, team } = await countDependents(ctx, id)
    if (orders + files + team > 0)
      throw conflict(
        `O usuário possui registros vinculados (${counted(orders, 'OS', 'OS')}, ${counted(files, 'evidência', 'evidências')}, ${counted(team, 'subordinado', 'subordinados')}). Desative em vez de excluir.`,
      )
    await ctx.db.deleteFrom('users').where('id', '=', id).execute()
    await recordEvent(ctx, {
      subject: 'user',
      subject_id: id,
      kind: 'deleted',
      changes: { email: user.email },
    })
    return { message: 'Usuário excluído com sucesso.' }
  })
}

/** A change lets others go on naming the row, as everything does that its person does meanwhile. */
export async function lockedUser(ctx: Ctx, id: number, purpose: 'change' | 'removal' = 'change') {
  const query = findUser(ctx, id).select(USER_COLUMNS)
  const row = await (purpose === 'removal' ? query.forUpdate() : query.forNoKeyUpdate()).executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return row
}

/** Ends every session and API token of a person, and every reset link that is still on its way. */
export async function revokeAccess(ctx: Ctx, id: number) {
  await ctx.db.deleteFrom('sessions').where('user_id', '=', id).execute()
  await ctx.db.deleteFrom('api_tokens').where('user_id', '=', id).execute()
  await deletePasswordResets(ctx, id)
}
export async function deletePasswordResets(ctx: Ctx, id: number) {
  await ctx.db.deleteFrom('password_resets').where('user_id', '=', id).execute()
}

const defined = <T extends object>(change: T) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as T

/** Writes what really changed, and says so in the trail. */
export async function writeUser(ctx: Ctx, before: UserRow, change: Updateable<Users>): Promise<UserRow> {
  const { password_hash, ...visible } = change
  const changes = differences<object>(before, visible)
  if (!changes && !password_hash) return before
  const row = await ctx.db
    .updateTable('users')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), updated_at: ctx.clock() }))
    .where('id', '=', before.id)
    .returning(USER_COLUMNS)
    .executeTakeFirstOrThrow()
    .catch(translateTaken)
  // A link that went to the old address must not open the account.
  if (row.email !== before.email) await deletePasswordResets(ctx, row.id)
  await recordEvent(ctx, {
    subject: 'user',
    subject_id: before.id,
    kind: 'changed',
    changes: { ...changes, ...(password_hash && { password: 'nova' }) },
  })
  return row
}

function translateTaken(error: unknown): never {
  if (violatedIndex(error) === 'users_login') throw conflict(TAKEN)
  throw error
}

/**
 * A company of the caller's scope, and a manager who leads there: any active manager or admin they may see.
 * Locked, so that neither is removed before the row that names them is written.
 */
async function checkCompanyAndManager(
  ctx: Ctx,
  { company_id, manager_id }: { company_id: number | null; manager_id: number | null },
) {
  if (company_id !== null) {
    const company = await ctx.db
      .selectFrom('companies')
      .where('companies.id', '=', company_id)
      .where(inScope(ctx.actor, 'companies.id'))
      .select('id')
      .forKeyShare()
      .executeTakeFirst()
    if (!company) throw invalid('Empresa não encontrada', 'company_id')
  }
  if (manager_id !== null) {
    const manager = await findUser(ctx, manager_id)
      .where('is_active', '=', true)
      .where('role', 'in', ['manager', 'admin'])
      .select('id')
      .forKeyShare()
      .executeTakeFirst()
    if (!manager) throw invalid('Gestor não encontrado', 'manager_id')
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
