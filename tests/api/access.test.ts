import { afterAll, describe, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { multipart, startTestApp } from '../support/test-app.ts'
import { callProcedure, procedures } from './procedures.ts'
import { restRoutes } from './routes.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db, sessions } = testApp.kernel.ctx

/** Calls that are public on purpose; every new call requires a token until it is listed here. */
const PUBLIC_CALLS = [
  'GET /utils/health-check',
  'GET /openapi.json',
  'GET /dossier-keys',
  'GET /dossier-confirmations/{id}',
  'GET /calendar/{id}',
  'GET /guest',
  'GET /guest/files/{id}/thumbnail',
  'POST /guest/uploads',
  'HEAD /guest/uploads/{id}',
  'PATCH /guest/uploads/{id}',
  'DELETE /guest/uploads/{id}',
  'POST /login/access-token',
  'POST /token',
  'POST /users/signup',
  'POST /password-recovery/{email}',
  'POST /reset-password',
]
const PUBLIC_PROCEDURES = [
  ...['auth.ways', 'auth.login', 'auth.signUp', 'auth.recover', 'auth.reset'],
  ...['account.undoLogin', 'passkeys.ask', 'passkeys.signIn', 'directory.redeem'],
  'dossier.confirm',
]

const closed = restRoutes(testApp.app).filter(
  ({ method, path }) => !PUBLIC_CALLS.includes(`${method} ${path}`),
)
const REFUSED = { detail: 'Not authenticated' }

describe('without a token every call is 401 with detail', () => {
  test.each(closed)('$method $path', async ({ method, path }) => {
    const answer = await testApp.anonymous.api(
      method as 'GET',
      path.replace('{id}', '1').replace('{email}', 'x').replace('{status}', 'x'),
    )
    expect(answer.statusCode).toBe(401)
    if (method !== 'HEAD') expect(answer.json()).toEqual(REFUSED)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  test('before path, query and body are validated', async () => {
    for (const [method, path, body] of [
      ['GET', '/brands/abc', undefined],
      ['GET', '/service-orders?limit=0', undefined],
      ['POST', '/service-orders', {}],
    ] as const)
      expect((await testApp.anonymous.api(method, path, body)).statusCode).toBe(401)
  })

  test('an upload with files too, of which nothing is stored', async () => {
    const order = await testApp.make.order()
    const { body, headers } = multipart([{ name: 'files', filename: 'a.jpg', content: await picture() }])
    const answer = await testApp.anonymous.api('POST', `/evidence/${order.id}/upload`, body, headers)
    expect(answer.statusCode).toBe(401)
    expect(await testApp.filesOnDisk()).toEqual([])
  })

  test.each(procedures.filter(({ path }) => !PUBLIC_PROCEDURES.includes(path)))(
    'tRPC $path',
    async ({ path }) => {
      const { status, error } = await callProcedure(testApp, '', path, {})
      expect(status).toBe(401)
      expect(error?.data).toEqual({ code: 'UNAUTHORIZED', detail: 'Not authenticated', http_status: 401 })
    },
  )

  test('the public calls are exactly these', () => {
    const paths = restRoutes(testApp.app).map(({ method, path }) => `${method} ${path}`)
    expect(paths).toEqual(expect.arrayContaining(PUBLIC_CALLS))
    expect(closed).toHaveLength(paths.length - PUBLIC_CALLS.length)
    expect(procedures.map(({ path }) => path)).toEqual(expect.arrayContaining(PUBLIC_PROCEDURES))
    expect(closed.length).toBeGreaterThanOrEqual(38)
    expect(procedures.length).toBeGreaterThanOrEqual(38)
  })
})

describe('an invalid token is 401, never 403 or 404 (D-03)', () => {
  const refused = async (authorization: string) => {
    const answer = await testApp.anonymous.api('GET', '/users/me', undefined, { authorization })
    expect([authorization, answer.statusCode, answer.json()]).toEqual([authorization, 401, REFUSED])
  }

  test('when it never was a token', async () => {
    const { token } = await testApp.as(await testApp.make.user())
    for (const header of [
      '',
      'Bearer',
      'Bearer ',
      'Bearer x',
      `Basic ${token}`,
      token,
      `Bearer ${token}x`,
      `Bearer ${token} ${token}`,
    ])
      await refused(header)
  })

  test('when its session ended or its user was deactivated or deleted', async () => {
    const ended = await testApp.as(await testApp.make.user())
    await sessions.close(ended.token)
    await refused(`Bearer ${ended.token}`)

    const [inactive, gone] = [await testApp.make.user(), await testApp.make.user()]
    const tokens = [(await testApp.as(inactive)).token, (await testApp.as(gone)).token]
    await db.updateTable('users').set({ is_active: false }).where('id', '=', inactive.id).execute()
    await db.deleteFrom('users').where('id', '=', gone.id).execute()
    for (const token of tokens) await refused(`Bearer ${token}`)
  })

  test('when it expired', async () => {
    const user = await testApp.make.user()
    const { token } = await testApp.as(user)
    await db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('user_id', '=', user.id)
      .execute()
    await refused(`Bearer ${token}`)
  })
})

test('a thumbnail is served only at its signed address, and only until that expires', async () => {
  const file = await testApp.make.evidence()
  const preview_key = file.original_key.replace('original.jpg', 'preview')
  await testApp.kernel.ctx.scratch.within('miniatura', async (dir) => {
    await testApp.kernel.ctx.storage.fetch(file.original_key, `${dir}/miniatura`)
    await testApp.kernel.ctx.storage.moveIn(preview_key, `${dir}/miniatura`)
  })
  await db.updateTable('evidence_files').set({ preview_key }).where('id', '=', file.id).execute()
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const [listed] = (await boss.api('GET', `/evidence/${file.order_id}/evidence`)).json().evidence_files
  const get = (url: string) => testApp.app.inject({ method: 'GET', url })
  expect((await get(listed.thumbnail_url)).statusCode).toBe(200)
  const signature = listed.thumbnail_url.split('/').at(-1)
  const expired = `${(Date.now() - 1_000).toString(36)}.${signature.split('.')[1]}`
  for (const address of [
    `/media/${file.id}/preview/x`,
    `/media/${file.id}/preview/${expired}`,
    `/media/${file.id + 1}/preview/${signature}`,
    `/media/0/preview/${signature}`,
  ]) {
    const answer = await get(address)
    expect([answer.statusCode, answer.json().detail]).toEqual([404, 'Evidência não encontrada'])
  }
})
