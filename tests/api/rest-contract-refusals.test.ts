import { afterAll, describe, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { type Caller, multipart, startTestApp } from '../support/test-app.ts'
import { COMPANY_RELATIONS, type MatrixFixture, ROLES, type Role, type TestUser } from './matrix-fixture.ts'
import { MATRIX } from './matrix-rows.ts'
import { type Call, createOpenApiChecker } from './openapi-checker.ts'
import { refusalRows } from './refusal-rows.ts'

const testApp = await startTestApp({
  SIGNUP_LIMIT: '0',
  RECOVERY_LIMIT: '0',
  LOGIN_LIMIT: '0',
  UPLOAD_MAX_FILE_MB: '1',
})
/** One attempt is allowed, the next is too many; sign-up is disabled on the other. */
const strict = await startTestApp({ SIGNUP_LIMIT: '1', RECOVERY_LIMIT: '1', LOGIN_LIMIT: '1' })
const closed = await startTestApp({ SIGNUP_MODE: 'off' })
afterAll(() => Promise.all([testApp, strict, closed].map((one) => one[Symbol.asyncDispose]())))

const { calls, check } = await createOpenApiChecker(testApp.app)
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const order = await testApp.make.order()
const own = await testApp.make.company()
const fixture: MatrixFixture = {
  testApp,
  brand: await testApp.make.brand({ max_evidence_count: 1_000 }),
  companies: {
    own,
    filial: await testApp.make.company({ parent_id: own.id }),
    foreign: await testApp.make.company(),
  },
}
const ROWS = await refusalRows({ testApp, strict, closed }, boss)

/** Server failures (timeout, database, disk) have tests of their own. */
const BY_ACCIDENT = [408, 500, 503, 507]
const cases = calls.flatMap(({ call, statuses, ...rest }) =>
  statuses
    .filter((status) => status >= 400 && !BY_ACCIDENT.includes(status))
    .map((status) => ({ call, status, statuses, ...rest })),
)

type Attempt = { as: Caller; path: string; body?: unknown; headers?: Record<string, string> }

const filled = (path: string, id: string) =>
  path
    .replace('{email}', 'a@b.co')
    .replace('{status}', 'pending')
    .replace(/\{\w+\}/g, id)
const exampleOf = ({ operation }: Call) => operation.requestBody?.content['application/json']?.example
const fileOf = (call: Call) => operationTypes(call).includes('multipart/form-data')
const operationTypes = ({ operation }: Call) => Object.keys(operation.requestBody?.content ?? {})

/** Refusals that every call shares follow from its description; the others have a row. */
async function attemptOf(call: Call, status: number): Promise<Attempt | undefined> {
  const row = ROWS[`${call.call} ${status}`]
  if (row) return { as: boss, ...(await row()) }
  const path = filled(call.path, String(order.id))
  const upload = multipart([{ name: 'files', filename: 'a.jpg', content: await picture() }])
  switch (status) {
    case 401:
      return { as: testApp.anonymous, path }
    case 403:
      return forbiddenBy(call.call)
    case 404:
      return {
        as: boss,
        path: filled(call.path, '999999999'),
        ...(fileOf(call) ? upload : { body: exampleOf(call) }),
      }
    case 413: {
      const content = Buffer.concat([await picture(), Buffer.alloc(2_000_000)])
      if (fileOf(call))
        return { as: boss, path, ...multipart([{ name: 'files', filename: 'a.jpg', content }]) }
      return { as: boss, path, body: { texto: 'x'.repeat(1_100_000) } }
    }
    case 415:
      return { as: boss, path, body: 'x', headers: { 'content-type': 'application/xml' } }
    case 422:
      return invalidBy(call)
  }
}

/** An invalid id, a body field of the wrong type, or an invalid parameter. */
function invalidBy(call: Call): Attempt {
  if (call.path.includes('{id}') || call.path.includes('_id}'))
    return { as: boss, path: filled(call.path, 'abc') }
  if (call.path.includes('{email}')) return { as: boss, path: call.path.replace('{email}', 'nada') }
  const [query] =
    call.operation.parameters?.filter(({ schema }) => schema.type !== 'string' || schema.format) ?? []
  if (query && !call.operation.requestBody) return { as: boss, path: `${call.path}?${query.name}=nada` }
  return { as: boss, path: call.path, body: [] }
}

/** A caller whom the permission matrix refuses. */
async function forbiddenBy(call: string): Promise<Attempt | undefined> {
  for (const row of MATRIX.filter(({ rest }) => rest.includes(call)))
    for (const role of ROLES)
      for (const [index, place] of COMPANY_RELATIONS.entries()) {
        const expected = row.expected[role]
        if ((typeof expected === 'number' ? expected : expected[index]) !== 403) continue
        const who = await personOf(role)
        const { path = '', body, headers } = await row.attempt(fixture, place, who)
        const url = (call.split(' ')[1] ?? '').replace(/\{.*\}/, path)
        return { as: who, path: url, body, ...(headers && { headers }) }
      }
  return undefined
}

async function personOf(role: Role): Promise<TestUser> {
  const fields = {
    technician: { company_id: own.id },
    manager: { role: 'manager' as const, company_id: own.id },
    admin: { role: 'admin' as const, company_id: own.id },
    superuser: { is_superuser: true },
    lost: { company_id: null },
  }[role]
  const user = await testApp.make.user(fields)
  return { ...(await testApp.as(user)), id: user.id, email: user.email }
}

describe('every refusal the document promises occurs as described', () => {
  test.each(cases)('$call $status', async ({ status, ...call }) => {
    const attempt = await attemptOf(call, status)
    if (!attempt) throw new Error(`no row in refusal-rows.ts for «${call.call} ${status}»`)
    const answer = await attempt.as.api(call.method as 'GET', attempt.path, attempt.body, attempt.headers)
    expect([call.call, answer.statusCode]).toEqual([call.call, status])
    check(call.call, answer)
  })
})

test('every row of refusals belongs to a documented refusal', () => {
  const promised = cases.map(({ call, status }) => `${call} ${status}`)
  expect(Object.keys(ROWS).filter((key) => !promised.includes(key))).toEqual([])
})

test('an unreachable database is 503 with Retry-After, and a server fault 500, both as described (D-03)', async () => {
  const { app, kernel } = closed
  const call = () =>
    app.inject({ method: 'POST', url: '/api/v1/token', payload: { username: 'ana', password: 'x' } })
  const fails = (error: Error) => {
    kernel.pool.connect = () => Promise.reject(error)
  }
  fails(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  const down = await call()
  expect([down.statusCode, down.headers['retry-after']]).toEqual([503, '5'])
  check('POST /token', down)
  fails(new Error('nobody expects this'))
  const fault = await call()
  expect([fault.statusCode, fault.json()]).toEqual([500, { detail: 'Internal Server Error' }])
  check('POST /token', fault)
})
