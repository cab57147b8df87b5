import type { OrderStatus } from '@garantia/shared/orders/status'
import type { Caller, TestApp } from '../support/test-app.ts'

export const COMPANY_RELATIONS = ['own', 'filial', 'foreign'] as const
export type CompanyRelation = (typeof COMPANY_RELATIONS)[number]
export const ROLES = ['technician', 'manager', 'admin', 'superuser', 'lost'] as const
export type Role = (typeof ROLES)[number]
export type TestUser = Caller & { id: number; email: string }

export interface MatrixFixture {
  testApp: TestApp
  companies: Record<CompanyRelation, { id: number }>
  brand: { id: number }
}
interface Attempt {
  path?: string
  query?: string
  body?: unknown
  headers?: Record<string, string>
  input?: unknown
}
/**
 * The status each role gets at an own, a filial's and a foreign row; one number where the call is for no row.
 */
export type Expected = Record<Role, number | readonly [number, number, number]>
export interface Row {
  /** The REST calls and the procedure of one use case. */
  rest: string[]
  procedure?: string
  expected: Expected
  anonymous?: number
  /** The fields that REST and tRPC share, where one REST call covers several use cases. */
  alike?: string[]
  attempt(fixture: MatrixFixture, place: CompanyRelation, who: TestUser): Promise<Attempt> | Attempt
}

export const same = (status: number): Expected => ({
  technician: status,
  manager: status,
  admin: status,
  superuser: status,
  lost: status,
})
export const ALL = [200, 200, 200] as const
export const ABSENT = [404, 404, 404] as const
/** D-38's «S»: rows of the own companies; every row for admins and superusers. */
export const READ: Expected = {
  technician: [200, 404, 404],
  manager: [200, 200, 404],
  admin: ALL,
  superuser: ALL,
  lost: ABSENT,
}
/** Writing requires a manager; a row of another company is absent (404), not forbidden. */
export const written = (manager: Expected['manager'], admin: Expected['admin'] = ALL): Expected => ({
  technician: [403, 404, 404],
  manager,
  admin,
  superuser: admin,
  lost: ABSENT,
})
/** Writing that no technician does on any row: refused before the row is looked for. */
export const ledWriting = (manager: Expected['manager']): Expected => ({
  ...written(manager),
  technician: 403,
  lost: 403,
})
export const ADMINS: Expected = { technician: 403, manager: 403, admin: 200, superuser: 200, lost: 403 }
export const SUPERUSERS: Expected = { ...ADMINS, admin: 403 }

let serial = 0
export const next = () => ++serial
export const onPath = (id: number, body?: object) => ({
  path: String(id),
  ...(body && { body }),
  input: { id, ...(body && { change: body }) },
})
export const orderAt = async (
  { testApp, companies, brand }: MatrixFixture,
  place: CompanyRelation,
  status?: OrderStatus,
) =>
  (
    await testApp.make.order({
      company_id: companies[place].id,
      brand_id: brand.id,
      ...(status && { status }),
    })
  ).id
