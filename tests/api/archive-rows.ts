import { packageArchive, packageArchiveList } from '@garantia/shared/evidence/archive'
import type { TestApp } from '../support/test-app.ts'
import { ALL, type Expected, type Row, same } from './matrix-fixture.ts'
import type { Row as Contract } from './people-rows.ts'
import type { Attempt } from './upload-rows.ts'

const at = '/service-orders/packages'

/** Without an order in scope nothing is left to download: 409, as for orders that do not exist. */
const IN_SCOPE: Expected = {
  technician: [200, 409, 409],
  manager: [200, 200, 409],
  admin: ALL,
  superuser: ALL,
  lost: [409, 409, 409],
}

/** The packages of several orders in one ZIP. */
export const ARCHIVE_MATRIX: Row[] = [
  { rest: [`GET ${at}`], procedure: 'packages.list', expected: same(200), attempt: () => ({}) },
  {
    rest: [`POST ${at}`],
    procedure: 'packages.request',
    expected: IN_SCOPE,
    async attempt({ testApp, companies, brand }, place) {
      const { id } = await testApp.make.order({ company_id: companies[place].id, brand_id: brand.id })
      await testApp.make.converted({ order_id: id })
      const body = { ids: [id] }
      return { body, input: body }
    },
  },
  {
    rest: [`GET ${at}/{id}/download`],
    expected: IN_SCOPE,
    async attempt({ testApp, companies, brand }, place, who) {
      const order = await testApp.make.order({ company_id: companies[place].id, brand_id: brand.id })
      return { path: String((await testApp.make.archive(who.id, [order])).id) }
    },
  },
]

export async function archiveContract(testApp: TestApp, user_id: number): Promise<Contract[]> {
  const { order_id: id } = await testApp.make.converted()
  const archive = await testApp.make.archive(user_id, [{ id, os_number: '000001' }])
  return [
    { id: 'D-68', call: `POST ${at}`, path: at, body: { ids: [id] }, reply: packageArchive },
    { id: 'D-68', call: `GET ${at}`, path: at, reply: packageArchiveList },
    {
      id: 'D-68',
      call: `GET ${at}/{id}/download`,
      path: `${at}/${archive.id}/download`,
      reply: 'file',
    },
  ]
}

export function archiveRefusals(testApp: TestApp): Record<string, () => Promise<Attempt>> {
  const { make } = testApp
  const ofSomebody = async (fields: Parameters<typeof make.archive>[2] = {}) => {
    const user = await make.user({ is_superuser: true })
    const { id } = await make.archive(user.id, [await make.order()], fields)
    return { as: await testApp.as(user), path: `${at}/${id}/download` }
  }
  return {
    [`POST ${at} 403`]: async () => {
      const { id } = await make.user({ is_superuser: true })
      const { token } = await make.apiToken({ user_id: id, scope: 'read' })
      const { anonymous } = testApp
      return {
        as: {
          ...anonymous,
          api: (method, path, body) =>
            anonymous.api(method, path, body, { authorization: `Bearer ${token}` }),
        },
        path: at,
        body: { ids: [1] },
      }
    },
    [`POST ${at} 409`]: async () => ({ path: at, body: { ids: [(await make.order()).id] } }),
    [`POST ${at} 429`]: async () => {
      const user = await make.user({ is_superuser: true })
      const requested = { bucket: `packages/person/${user.id}`, hits: 60, first_at: new Date() }
      await testApp.kernel.ctx.db.insertInto('attempts').values(requested).execute()
      return { as: await testApp.as(user), path: at, body: { ids: [(await make.converted()).order_id] } }
    },
    [`GET ${at}/{id}/download 409`]: () => ofSomebody({ status: 'building' }),
    [`GET ${at}/{id}/download 416`]: async () => ({
      ...(await ofSomebody()),
      headers: { range: 'bytes=999999-' },
    }),
  }
}
