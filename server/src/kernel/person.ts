import type { Person, Scope } from '@garantia/shared/policy'
import { sql } from 'kysely'

/** Ids of the companies a person may see (D-39): their own and, for a manager of a matriz, its filiais. */
const companiesOf = sql<number[]>`array(
  select c.id from companies c
  where c.id = users.company_id or (users.role = 'manager' and c.parent_id = users.company_id))`

/** Columns a query over `users` selects to build a Person. */
export const PERSON_COLUMNS = [
  'users.id',
  'users.full_name',
  'users.role',
  'users.is_superuser',
  'users.company_id',
  companiesOf.as('company_ids'),
] as const

interface PersonRow {
  id: number
  full_name: string
  role: Person['role']
  is_superuser: boolean
  company_id: number | null
  company_ids: number[]
}
/** The caller built from a row of PERSON_COLUMNS. Administrators and superusers have scope `all`. */
export function personFrom(row: PersonRow): Person {
  const scope: Scope = row.is_superuser || row.role === 'admin' ? 'all' : row.company_ids
  return {
    kind: 'user',
    id: row.id,
    name: row.full_name,
    role: row.role,
    is_superuser: row.is_superuser,
    company_id: row.company_id,
    scope,
  }
}
