import type { Users } from '@garantia/migrations/schema'
import { conflict, forbidden, invalid, notFound } from '@garantia/shared/errors'
import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import { counted } from '@garantia/shared/format'
import { authorize, authorizeSome, can } from '@garantia/shared/policy'
import { gainsRights, losesRole } from '@garantia/shared/users/rights'
import {
  lacksManager,
  type UserChange,
  type UserFilter,
  type UserInput,
  type UserView,
} from '@garantia/shared/users/schema'
import { sql, type Updateable } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { violatedIndex } from '../../../kernel/database.ts'
import { differences, recordEvent } from '../../../kernel/events.ts'
import { callerKeyOf, hashPassword, refuseWeakPassword } from '../../../kernel/passwords.ts'
import { USER_COLUMNS, type UserRow } from '../../../kernel/person.ts'
import { inScope } from '../../../kernel/scope.ts'
import { deleteLoginUndos, deletePasswordResets, revokeAccess } from './access.ts'
import { countDependents, findUser, hasFactor, matchingUsers, visibleUsers } from './queries.ts'
import { assertOtherSuperuser, lockUserRemoval } from './user-removal.ts'

export {
  closeAccount,
  deleteFactors,
  deleteLoginUndos,
  lockCaller,
  lockPerson,
  revokeAccess,
} from './access.ts'
export { createFirstSuperuser } from './first-superuser.ts'

const MISSING = 'Usuário não encontrado'
const TAKEN = 'Já existe um usuário com este email.'

export const presentUser = (row: UserRow): UserView => ({
  ...row,
  last_login_at: row.last_login_at?.toISOString() ?? null,
})

/** A page of the people in the caller's scope, by name, with their total number. 403 for technicians. */
export async function listUsers(ctx: Ctx, { skip = 0, limit = DEFAULT_LIMIT, search }: UserFilter) {
  authorize(ctx.actor, 'user.list')
  const [rows, { count }] = await Promise.all([
    matchingUsers(ctx, search)
      .leftJoin('companies', 'companies.id', 'users.company_id')
      .select((eb) => [...USER_COLUMNS, 'companies.trading_name as company_name', hasFactor(eb)])
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
    data: rows.map(({ company_name, has_factor, ...row }) => ({
      ...presentUser(row),
      company_name,
      has_factor: Boolean(has_factor),
    })),
    count,
  }
}

/** Active managers and administrators in scope, for selection, at most 100 (ADM-34). 403 for technicians. */
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

/** A person. 404 outside the caller's scope; 403 for a technician who reads someone else. */
export async function readUser(ctx: Ctx, id: number): Promise<UserView> {
  const row = await findUser(ctx, id).select(USER_COLUMNS).executeTakeFirst()
  if (!row) throw notFound(MISSING)
  authorize(ctx.actor, 'user.read', row)
  return presentUser(row)
}

/**
 * Creates a person; a manager creates only technicians, who report to them. 403 without permission or a recent
 * sign-in; 409 when the login is taken; 422 when company or manager cannot be chosen.
 */
export async function createUser(
  ctx: Ctx,
  { password, confirm_password: _, ...input }: UserInput,
): Promise<UserView> {
  authorize(ctx.actor, 'user.open', input)
  if (input.is_superuser || input.role === 'admin') authorize(ctx.actor, 'user.recredential')
  const manager_id =
    ctx.actor.kind === 'user' && !can(ctx.actor, 'user.change-rights')
      ? ctx.actor.id
      : input.role === 'technician'
        ? (input.manager_id ?? null)
        : null
  await refuseWeakPassword(password, 'password', input)
  const password_hash = await hashPassword(password, callerKeyOf(ctx))
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

/** Fields a manager may change on their own technicians (D-38). */
const MANAGERS_FIELDS = ['full_name', 'phone', 'department', 'position', 'is_active']

/**
 * Changes the given fields. A new password, a deactivation or reactivation and a lower role end all access of
 * the person. 404 outside the caller's scope; 403 without permission, and without a recent sign-in for what lets
 * somebody in or lets them see more; 409 when the login is taken or no active superuser would remain; 422 for an
 * invalid company or manager.
 */
export async function changeUser(
  ctx: Ctx,
  id: number,
  { password, confirm_password: _, ...change }: UserChange,
): Promise<UserView> {
  authorizeSome(ctx.actor, 'user.change')
  const password_hash = password ? await hashFor(ctx, id, password, change) : undefined
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
    const isLogin = change.email !== undefined && change.email !== before.email
    const after = { ...before, ...defined(change) }
    if (password_hash || isLogin || gainsRights(before, after)) authorize(ctx.actor, 'user.recredential')
    if (after.is_active && !before.is_active) authorize(ctx.actor, 'user.reactivate', before)
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
    // A former address must not undo what was decided here.
    if (isLogin) await deleteLoginUndos(ctx, id)
    return presentUser(row)
  })
}

/**
 * The hash of somebody's new password. Who may not set it is refused before the work of hashing: 404, 403 as in
 * changeUser; 422 for a weak one.
 */
async function hashFor(
  ctx: Ctx,
  id: number,
  password: string,
  change: Omit<UserChange, 'password' | 'confirm_password'>,
) {
  const owner = await findUser(ctx, id).select(USER_COLUMNS).executeTakeFirst()
  if (!owner) throw notFound(MISSING)
  authorize(ctx.actor, 'user.change', owner)
  authorize(ctx.actor, 'user.change-rights')
  await refuseWeakPassword(password, 'password', { ...owner, ...defined(change) })
  return hashPassword(password, callerKeyOf(ctx))
}

/** The account of a login, whatever its case; undefined when there is none in scope. */
export const userByLogin = (ctx: Ctx, login: string) =>
  visibleUsers(ctx)
    .where(sql<boolean>`lower(users.email) = lower(${login})`)
    .select(['users.id', 'users.email'])
    .executeTakeFirst()

/** Ends all access of a person, whose password and second factor stay. 404 and 403 as in changeUser. */
export const endAccess = (ctx: Ctx, id: number) =>
  inTransaction(ctx, async (ctx) => {
    const person = await lockedUser(ctx, id)
    authorize(ctx.actor, 'user.change', person)
    authorize(ctx.actor, 'user.recredential')
    const { n } = await ctx.db
      .selectFrom('sessions')
      .where('user_id', '=', id)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    await revokeAccess(ctx, id)
    await recordEvent(ctx, {
      subject: 'user',
      subject_id: id,
      kind: 'changed',
      changes: { sessions: 'encerradas' },
    })
    return { sessions: n }
  })

/**
 * Deletes an unreferenced person (D-17). 404 out of scope; 403, also without a recent sign-in; 409 when referenced or
 * the last superuser.
 */
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
    await revokeAccess(ctx, id)
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

/** A person's row, locked; 404 outside the caller's scope. `change` still lets others reference the row. */
export async function lockedUser(ctx: Ctx, id: number, purpose: 'change' | 'removal' = 'change') {
  const query = findUser(ctx, id).select(USER_COLUMNS)
  const row = await (purpose === 'removal' ? query.forUpdate() : query.forNoKeyUpdate()).executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return row
}

const defined = <T extends object>(change: T) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as T

/**
 * Writes the fields that differ and records an event; returns the new row. Ends all access with a new password, when
 * the account is closed or opened again, and with a lower role. 409 when the login is taken.
 */
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
  // A link sent to the old address must not open the account.
  if (row.email !== before.email) await deletePasswordResets(ctx, row.id)
  if (password_hash || row.is_active !== before.is_active || losesRole(before, row))
    await revokeAccess(ctx, row.id)
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
 * The company must be in the caller's scope, the manager an active manager or administrator they may see; 422
 * otherwise. Both are locked, so that neither is deleted before the row that references them is written.
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
