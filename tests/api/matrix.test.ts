import { TOKEN_SCOPES } from '@garantia/shared/tokens/scope'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import {
  COMPANY_RELATIONS,
  type CompanyRelation,
  type MatrixFixture,
  ROLES,
  type Role,
  type Row,
  type TestUser,
} from './matrix-fixture.ts'
import { MATRIX } from './matrix-rows.ts'
import { createOpenApiChecker } from './openapi-checker.ts'
import { callProcedure, procedures } from './procedures.ts'
import { restRoutes } from './routes.ts'
import { LEAST_TOKEN } from './token-rows.ts'

const testApp = await startTestApp({ SIGNUP_LIMIT: '0', RECOVERY_LIMIT: '0' })
afterAll(() => testApp[Symbol.asyncDispose]())
const document = await createOpenApiChecker(testApp.app)

const own = await testApp.make.company({ trading_name: 'Própria' })
const fixture: MatrixFixture = {
  testApp,
  brand: await testApp.make.brand({ max_evidence_count: 1_000 }),
  companies: {
    own,
    filial: await testApp.make.company({ trading_name: 'Filial', parent_id: own.id }),
    foreign: await testApp.make.company({ trading_name: 'Alheia' }),
  },
}

/**
 * A new person for every attempt that changes something: some calls end a session, change a password or delete the
 * account.
 */
async function caller(role: Role): Promise<TestUser> {
  const user = await testApp.make.user(
    {
      technician: { company_id: own.id },
      manager: { role: 'manager' as const, company_id: own.id },
      admin: { role: 'admin' as const, company_id: own.id },
      superuser: { is_superuser: true },
      lost: { company_id: null },
    }[role],
  )
  return { ...(await testApp.as(user)), id: user.id, email: user.email }
}

const nameOf = ({ procedure, rest }: Row) => procedure ?? rest[0] ?? ''

const isReading = ({ rest, procedure }: Row) =>
  rest.every((call) => /^(GET|HEAD) /.test(call)) &&
  procedures.every(({ path, type }) => path !== procedure || type === 'query')
const readers = new Map<Role, Promise<TestUser>>()
/** One person of each role for all calls that only read: nobody loses session, password or account by them. */
function reader(role: Role) {
  const known = readers.get(role) ?? caller(role)
  readers.set(role, known)
  return known
}

test('every call and every use case has its row', () => {
  const calls = restRoutes(testApp.app).map(({ method, path }) => `${method} ${path}`)
  const once = (names: string[]) => [...new Set(names)].sort()
  expect(once(MATRIX.flatMap(({ rest }) => rest))).toEqual(calls.sort())
  const named = MATRIX.flatMap(({ procedure }) => procedure ?? [])
  expect(once(named)).toEqual(procedures.map(({ path }) => path).sort())
})

test('for every row it is decided what an API token must be able to do', () => {
  const rows = MATRIX.map(nameOf)
  expect(Object.keys(LEAST_TOKEN).sort()).toEqual([...new Set(rows)].sort())
})

async function statusesOf(
  row: Row,
  who: () => Promise<TestUser>,
  token: (who: TestUser) => string,
  places: readonly CompanyRelation[] = COMPANY_RELATIONS,
) {
  const found: Record<string, number[]> = {}
  const note = (transport: string, status: number) => {
    found[transport] = [...(found[transport] ?? []), status]
  }
  for (const place of places) {
    for (const call of row.rest) {
      const person = await who()
      const { path = '', query = '', body, headers } = await row.attempt(fixture, place, person)
      const [method, url = ''] = call.split(' ') as ['GET', string]
      const answer = await testApp.anonymous.api(method, url.replace(/\{.*\}/, path) + query, body, {
        ...(token(person) && { authorization: `Bearer ${token(person)}` }),
        // A call by a link says itself who calls.
        ...headers,
      })
      document.check(call, answer)
      note(call, answer.statusCode)
    }
    if (row.procedure) {
      const person = await who()
      const { input } = await row.attempt(fixture, place, person)
      note(row.procedure, (await callProcedure(testApp, token(person), row.procedure, input)).status)
    }
  }
  return found
}

describe.each(MATRIX.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
  /** An upload answers 201 in REST; everything else answers the same status over REST and tRPC. */
  const transports = [...row.rest, ...(row.procedure ? [row.procedure] : [])]
  const everywhere = (expected: number | readonly number[]) =>
    Object.fromEntries(
      transports.map((transport) => [
        transport,
        typeof expected === 'number' ? Array(3).fill(expected) : expected,
      ]),
    )

  test.each(ROLES)(`as ${'%s'}: own, filial, foreign (D-38, D-39)`, async (role) => {
    expect(
      await statusesOf(
        row,
        () => (isReading(row) ? reader(role) : caller(role)),
        ({ token }) => token,
      ),
    ).toEqual(everywhere(row.expected[role]))
  })

  test('with a token of each scope, by whoever may do most (D-38)', async () => {
    const least = LEAST_TOKEN[nameOf(row)]
    const expected = row.expected.superuser
    const own = typeof expected === 'number' ? expected : expected[0]
    for (const scope of TOKEN_SCOPES) {
      const person = await caller('superuser')
      const isEnough =
        least !== 'sign-in' && (!least || TOKEN_SCOPES.indexOf(scope) >= TOKEN_SCOPES.indexOf(least))
      const { token } = await testApp.make.apiToken({ user_id: person.id, scope })
      const found = await statusesOf(
        row,
        async () => person,
        () => token,
        ['own'],
      )
      expect([scope, found]).toEqual([
        scope,
        Object.fromEntries(transports.map((transport) => [transport, [isEnough ? own : 403]])),
      ])
    }
  })

  test('as anonymous', async () => {
    const somebody = await caller('admin')
    expect(
      await statusesOf(
        row,
        async () => somebody,
        () => '',
      ),
    ).toEqual(everywhere(row.anonymous ?? 401))
  })
})
