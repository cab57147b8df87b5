import { IMPORT_LIMITS, importView } from '@garantia/shared/orders/import'
import { multipart, type TestApp } from '../support/test-app.ts'
import {
  type CompanyRelation,
  ledWriting,
  type MatrixFixture,
  next,
  READ,
  type Row,
  same,
} from './matrix-fixture.ts'
import type { Row as Contract } from './people-rows.ts'
import { type Attempt, withTooManyOpen } from './upload-rows.ts'

/** An import whose file was read, and whose columns were checked if `isChecked`. */
export async function imported(
  { testApp }: Pick<MatrixFixture, 'testApp'>,
  company_id: number,
  isChecked = true,
) {
  const { id } = await testApp.kernel.ctx.db
    .insertInto('order_imports')
    .values({
      company_id,
      actor_name: 'Ana',
      filename: 'os.csv',
      sha256: next().toString(16).padStart(64, '0'),
      status: 'read',
      headings: ['OS'],
      rows: JSON.stringify([
        { line: 1, cells: ['OS'] },
        { line: 2, cells: ['12x'] },
      ]),
      lines: 1,
      ...(isChecked && { mapping: JSON.stringify({ os_number: 0 }) }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const at = (scene: MatrixFixture, place: CompanyRelation) => imported(scene, scene.companies[place].id)
const file = (content: Buffer | string = `OS\n${next()}\n`) =>
  multipart([{ name: 'file', filename: 'os.csv', content }])

export const IMPORT_MATRIX: Row[] = [
  {
    rest: ['POST /service-orders/imports'],
    expected: {
      ...ledWriting([201, 201, 404]),
      admin: [201, 201, 201],
      superuser: [201, 201, 201],
    },
    attempt: ({ companies }, place) => ({ query: `?company_id=${companies[place].id}`, ...file() }),
  },
  {
    rest: ['GET /service-orders/imports/{id}/report'],
    expected: ledWriting([200, 200, 404]),
    attempt: async (scene, place) => ({ path: String(await at(scene, place)) }),
  },
  {
    rest: [],
    procedure: 'orderImports.one',
    expected: ledWriting([200, 200, 404]),
    attempt: async (scene, place) => ({ input: { id: await at(scene, place) } }),
  },
  {
    rest: [],
    procedure: 'orderImports.check',
    expected: ledWriting([200, 200, 404]),
    attempt: async (scene, place) => ({
      input: { id: await at(scene, place), mapping: { os_number: 0 }, brand_id: null },
    }),
  },
  {
    rest: [],
    procedure: 'orderImports.invoice',
    expected: same(200),
    attempt: () => ({
      input: { xml: '<NFe><infNFe versao="4.00"><det><prod><vProd>1.00</vProd></prod></det></infNFe></NFe>' },
    }),
  },
  {
    rest: [],
    procedure: 'vehiclePhotos.send',
    // The house of these tests does not read photos; whoever may open an order is told so.
    expected: { ...same(409), lost: 403 },
    attempt: () => ({ input: { jpeg: '/9j/' } }),
  },
  {
    rest: [],
    procedure: 'vehiclePhotos.one',
    // None is the caller's.
    expected: { ...same(404), lost: 403 },
    attempt: () => ({ input: { id: next() } }),
  },
  {
    rest: [],
    procedure: 'orders.earlier',
    expected: same(200),
    attempt: () => ({ input: { chassis: '9BWZZZ377VT004251' } }),
  },
  {
    rest: [],
    procedure: 'orders.nextNumber',
    expected: READ,
    attempt: ({ companies }, place) => ({ input: { company_id: companies[place].id } }),
  },
  {
    rest: [],
    procedure: 'orderImports.run',
    expected: ledWriting([200, 200, 404]),
    attempt: async (scene, place) => ({
      input: { id: await at(scene, place), mapping: { os_number: 0 }, brand_id: null, mode: 'valid' },
    }),
  },
]

export const importContract = async (testApp: TestApp, company_id: number): Promise<Contract[]> => [
  {
    id: 'D-66',
    call: 'POST /service-orders/imports',
    path: `/service-orders/imports?company_id=${company_id}`,
    ...file(),
    status: 201,
    reply: importView,
  },
  {
    id: 'D-66',
    call: 'GET /service-orders/imports/{id}/report',
    path: `/service-orders/imports/${await imported({ testApp }, company_id)}/report`,
    reply: 'file',
  },
]

export function importRefusals(testApp: TestApp): Record<string, () => Promise<Attempt>> {
  const { make } = testApp
  const path = async () => `/service-orders/imports?company_id=${(await make.company()).id}`
  return {
    'POST /service-orders/imports 400': async () => ({
      path: await path(),
      body: 'nada disso é multipart',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    }),
    'POST /service-orders/imports 404': async () => ({
      path: '/service-orders/imports?company_id=999999',
      ...file(),
    }),
    'POST /service-orders/imports 413': async () => ({
      path: await path(),
      ...file(Buffer.alloc(IMPORT_LIMITS.bytes + 1, 'x')),
    }),
    'POST /service-orders/imports 429': async () => ({
      as: await withTooManyOpen(testApp),
      path: await path(),
      ...file(),
    }),
    'POST /service-orders/imports 415': async () => ({ path: await path(), body: { file: 'x' } }),
    'GET /service-orders/imports/{id}/report 409': async () => {
      const { id: company_id } = await make.company()
      const id = await imported({ testApp }, company_id, false)
      return { path: `/service-orders/imports/${id}/report` }
    },
  }
}
