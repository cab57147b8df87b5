import type { Users } from '@garantia/migrations/schema'
import type { Person, Scope } from '@garantia/shared/policy'
import type { UserView } from '@garantia/shared/users/schema'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from './strict-writes.ts'

/** Ids of the companies a person may see (D-39): their own and, for a manager of a matriz, its filiais. */
const companiesOf = sql<number[]>`array(
  select c.id from companies c
  where c.id = users.company_id or (users.role = 'manager' and c.parent_id = users.company_id))`

/** The same rule for one company: that a row of `users` may see it. */
export const maySee = (company_id: number | RawBuilder<unknown>) => sql<boolean>`(
  users.is_superuser or users.role = 'admin' or users.company_id = ${company_id}
  or (users.role = 'manager' and users.company_id = (select parent_id from companies where id = ${company_id})))`

/** Active people who may see every one of the companies. */
export const peopleWhoSee = (db: Db, company_ids: readonly number[]) =>
  company_ids.reduce(
    (query, company_id) => query.where(maySee(company_id)),
    db.selectFrom('users').where('users.is_active', '=', true),
  )

/** How a row of `users`, under its own name or an alias, is called where people choose or read it. */
export const calledAs = (table: 'users' | 'responsible') =>
  sql<
    string | null
  >`coalesce(nullif(btrim(${sql.ref(`${table}.full_name`)}), ''), ${sql.ref(`${table}.email`)})`

/** Columns of a person that are shown. */
export const USER_COLUMNS = [
  'users.id',
  'users.email',
  'users.cpf',
  'users.full_name',
  'users.role',
  'users.company_id',
  'users.manager_id',
  'users.phone',
  'users.department',
  'users.position',
  'users.is_superuser',
  'users.is_active',
  'users.last_login_at',
] as const

/** Columns a query over `users` selects to build a Person, and to show them to themselves without another query. */
export const PERSON_COLUMNS = [
  ...USER_COLUMNS,
  'users.access_epoch',
  companiesOf.as('company_ids'),
  sql<boolean>`exists (select from demonstration)`.as('is_demonstration'),
] as const

export type UserRow = Pick<Selectable<Users>, keyof UserView>
export interface PersonRow extends UserRow {
  access_epoch: number
  company_ids: number[]
  is_demonstration: boolean
}
const rows = new WeakMap<Person, PersonRow>()
/** The row that a person of this request was built from; undefined for one built otherwise. */
export const rowOf = (person: Person) => rows.get(person)

type Limits = Pick<Person, 'token_scope' | 'must_confirm' | 'must_add_factor' | 'has_passkey'>
/** The caller built from a row of PERSON_COLUMNS. Administrators and superusers have scope `all`. */
export function personFrom(row: PersonRow, limits: Limits = {}): Person {
  const scope: Scope = row.is_superuser || row.role === 'admin' ? 'all' : row.company_ids
  const person: Person = {
    kind: 'user',
    id: row.id,
    name: row.full_name,
    role: row.role,
    is_superuser: row.is_superuser,
    company_id: row.company_id,
    access_epoch: row.access_epoch,
    // Who has still to add a second factor sees no company.
    scope: limits.must_add_factor ? [] : scope,
    ...limits,
  }
  rows.set(person, row)
  return person
}

/** An active person with the rights they have now, for work that goes on without them; null when there is none. */
export async function findActivePerson(db: Db, id: number | null): Promise<Person | null> {
  if (id === null) return null
  const row = await db
    .selectFrom('users')
    .where('id', '=', id)
    .where('is_active', '=', true)
    .select(PERSON_COLUMNS)
    .executeTakeFirst()
  return row ? personFrom(row) : null
}
