import { randomUUID } from 'node:crypto'
import { uploadResult } from '@garantia/shared/evidence/schema'
import { MAX_OPEN_UPLOADS } from '@garantia/shared/evidence/upload'
import { picture } from '../support/make.ts'
import { type Caller, multipart, type TestApp } from '../support/test-app.ts'
import { chunkHeaders, createUpload, creationHeaders, TUS } from '../support/tus.ts'
import { ABSENT, type Expected, type MatrixFixture, orderAt, type Row, same } from './matrix-fixture.ts'

/** An upload that this user began, whatever they may see by now. */
async function beginUpload(
  { testApp }: Pick<MatrixFixture, 'testApp'>,
  user_id: number,
  order_id: number,
  size = 1_000,
) {
  const id = randomUUID()
  const [created_at, expires_at] = [new Date(), new Date(Date.now() + 3_600_000)]
  await testApp.kernel.ctx.db
    .insertInto('uploads')
    .values({ id, order_id, user_id, filename: 'foto.jpg', size, created_at, expires_at })
    .execute()
  return id
}

/** A superuser with as many open uploads as one may have. */
export async function withTooManyOpen(testApp: TestApp) {
  const user = await testApp.make.user({ is_superuser: true })
  const { id } = await testApp.make.order()
  await Promise.all(Array.from({ length: MAX_OPEN_UPLOADS }, () => beginUpload({ testApp }, user.id, id)))
  return testApp.as(user)
}

/** As for a multipart upload: technicians the own company, managers its filiais too, admins every company. */
const allowedInScope = (status: number): Expected => ({
  technician: [status, 404, 404],
  manager: [status, status, 404],
  admin: [status, status, status],
  superuser: [status, status, status],
  lost: ABSENT,
})
const attemptOwnUpload: Row['attempt'] = async (fixture, place, who) => ({
  path: await beginUpload(fixture, who.id, await orderAt(fixture, place)),
  headers: TUS,
})

/** Resumable uploads: permission is checked again at the end, and the creator may always cancel. */
export const UPLOAD_MATRIX: Row[] = [
  {
    rest: ['POST /uploads'],
    expected: allowedInScope(201),
    async attempt(fixture, place) {
      const order_id = await orderAt(fixture, place)
      return { headers: creationHeaders(1_000, { order_id, filename: 'foto.jpg' }) }
    },
  },
  {
    rest: ['PATCH /uploads/{id}'],
    expected: allowedInScope(200),
    async attempt(fixture, place, who) {
      const body = await picture()
      const path = await beginUpload(fixture, who.id, await orderAt(fixture, place), body.length)
      return { path, body, headers: chunkHeaders(0) }
    },
  },
  { rest: ['DELETE /uploads/{id}'], expected: same(204), attempt: attemptOwnUpload },
  { rest: ['HEAD /uploads/{id}'], expected: same(200), attempt: attemptOwnUpload },
]

export interface Attempt {
  as?: Caller
  path: string
  body?: unknown
  headers?: Record<string, string>
}

/** Refusals of resumable uploads: one row per call and status. */
export function uploadRefusals(testApp: TestApp, boss: Caller): Record<string, () => Promise<Attempt>> {
  const order = async (fields = {}) => (await testApp.make.order(fields)).id
  const to = (order_id: number, more: Record<string, string> = {}, size = 1_000) => ({
    path: '/uploads',
    headers: { ...creationHeaders(size, { order_id, filename: 'foto.jpg' }), ...more },
  })
  const own = async (size = 1_000) => createUpload(boss, await order(), size)
  const nowhere = () => `/uploads/${randomUUID()}`
  const busy = async () => {
    const path = await own()
    await testApp.kernel.ctx.advisoryLocks.acquire(
      path.slice(1).replace('uploads', 'upload'),
      () => undefined,
      0,
    )
    return path
  }
  /** A technician and an order of their company that is assigned to a colleague (D-16). */
  const notTheirs = async () => {
    const { id: company_id } = await testApp.make.company()
    const [user, colleague] = [
      await testApp.make.user({ company_id }),
      await testApp.make.user({ company_id }),
    ]
    const order_id = await order({ company_id, technician_user_id: colleague.id, created_by: colleague.id })
    return { as: await testApp.as(user), user, order_id }
  }
  /** The order was assigned to a colleague during the upload. */
  const takenAway = async (): Promise<Attempt> => {
    const { as, user, order_id } = await notTheirs()
    const body = await picture()
    return {
      as,
      path: `/uploads/${await beginUpload({ testApp }, user.id, order_id, body.length)}`,
      body,
      headers: chunkHeaders(0),
    }
  }
  const missing = async (): Promise<Attempt> => ({ path: nowhere(), headers: TUS })
  const inUse = async (): Promise<Attempt> => ({ path: await busy(), headers: TUS })
  const withoutVersion = async (): Promise<Attempt> => ({ path: await own() })
  return {
    'POST /uploads 400': async () => {
      const { path, headers } = to(await order(), { 'upload-defer-length': '1' })
      const { 'upload-length': _, ...rest } = headers as Record<string, string>
      return { path, headers: rest }
    },
    'POST /uploads 403': async () => {
      const { as, order_id } = await notTheirs()
      return { as, ...to(order_id) }
    },
    'POST /uploads 404': async () => to(999_999_999),
    'POST /uploads 409': async () => to(await order({ status: 'completed' })),
    'POST /uploads 412': async () => ({ path: '/uploads' }),
    'POST /uploads 413': async () => to(await order(), {}, 1_000_001),
    'POST /uploads 415': async () => ({
      ...to(await order(), { 'content-type': 'application/json' }),
      body: '{}',
    }),
    'POST /uploads 422': async () => to(await order(), {}, 0),
    'POST /uploads 429': async () => ({ as: await withTooManyOpen(testApp), ...to(await order()) }),
    'POST /evidence/{id}/upload 429': async () => {
      const { body, headers } = multipart([{ name: 'files', filename: 'a.jpg', content: await picture() }])
      const as = await withTooManyOpen(testApp)
      return { as, path: `/evidence/${await order()}/upload`, body, headers }
    },
    'HEAD /uploads/{id} 404': missing,
    'HEAD /uploads/{id} 409': inUse,
    'HEAD /uploads/{id} 412': withoutVersion,
    'PATCH /uploads/{id} 400': async () => ({
      path: await own(),
      body: 'x',
      headers: { ...chunkHeaders(0), 'upload-length': '1000' },
    }),
    'PATCH /uploads/{id} 403': takenAway,
    'PATCH /uploads/{id} 404': async () => ({ path: nowhere(), body: 'x', headers: chunkHeaders(0) }),
    'PATCH /uploads/{id} 409': async () => ({ path: await own(), body: 'x', headers: chunkHeaders(7) }),
    'PATCH /uploads/{id} 412': withoutVersion,
    'PATCH /uploads/{id} 413': async () => ({
      path: await own(10),
      body: 'mais do que dez',
      headers: chunkHeaders(0),
    }),
    'PATCH /uploads/{id} 415': async () => ({
      path: await own(),
      body: '{}',
      headers: { ...chunkHeaders(0), 'content-type': 'application/json' },
    }),
    'DELETE /uploads/{id} 403': async () => {
      const user = await testApp.make.user({ is_superuser: true })
      const { token } = await testApp.make.apiToken({ user_id: user.id, scope: 'read' })
      const path = `/uploads/${await beginUpload({ testApp }, user.id, await order())}`
      return { as: testApp.anonymous, path, headers: { ...TUS, authorization: `Bearer ${token}` } }
    },
    'DELETE /uploads/{id} 404': missing,
    'DELETE /uploads/{id} 409': inUse,
    'DELETE /uploads/{id} 412': withoutVersion,
  }
}

/** One row per call: its request and its response. */
export async function uploadContract(boss: Caller, order_id: number) {
  const content = await picture()
  const [whole, doomed] = [
    await createUpload(boss, order_id, content.length),
    await createUpload(boss, order_id, 10),
  ]
  return [
    {
      id: 'D-22',
      call: 'POST /uploads' as const,
      path: '/uploads',
      headers: creationHeaders(1_000, { order_id, filename: 'foto.jpg', category: 'placa' }),
      status: 201,
      reply: 'nothing' as const,
    },
    {
      id: 'D-22',
      call: 'HEAD /uploads/{id}' as const,
      path: whole,
      headers: TUS,
      reply: 'nothing' as const,
    },
    {
      id: 'D-22',
      call: 'PATCH /uploads/{id}' as const,
      path: whole,
      body: content,
      headers: chunkHeaders(0),
      reply: uploadResult,
    },
    {
      id: 'D-22',
      call: 'DELETE /uploads/{id}' as const,
      path: doomed,
      headers: TUS,
      status: 204,
      reply: 'nothing' as const,
    },
  ]
}
