import { TOKEN_SCOPES } from '@garantia/shared/tokens/scope'
import { afterAll, describe, expect, test } from 'vitest'
import { combinations, isExhaustive } from '../support/exhaustive.ts'
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

interface Attempt {
  transport: string
  place: CompanyRelation
}

/** The status of each attempt, by transport and place. */
async function statusesOf(
  row: Row,
  attempts: readonly Attempt[],
  who: () => Promise<TestUser>,
  token: (who: TestUser) => string,
) {
  const statuses: Record<string, number> = {}
  for (const { transport, place } of attempts) {
    const person = await who()
    const attempt = await row.attempt(fixture, place, person)
    statuses[`${transport} ${place}`] =
      transport === row.procedure
        ? (await callProcedure(testApp, token(person), row.procedure, attempt.input)).status
        : await statusOfRest(transport, attempt, token(person))
  }
  return statuses
}

async function statusOfRest(
  call: string,
  { path = '', query = '', body, headers }: Awaited<ReturnType<Row['attempt']>>,
  token: string,
) {
  const [method, url = ''] = call.split(' ') as ['GET', string]
  const answer = await testApp.anonymous.api(method, url.replace(/\{.*\}/, path) + query, body, {
    ...(token && { authorization: `Bearer ${token}` }),
    // A call by a link says itself who calls.
    ...headers,
  })
  document.check(call, answer)
  return answer.statusCode
}

const transportsOf = ({ rest, procedure }: Row) => [...rest, ...(procedure ? [procedure] : [])]
const chosen = MATRIX.map((row, index) => {
  const all = combinations({ role: ROLES, place: COMPANY_RELATIONS, transport: transportsOf(row) })
  const attempts = ROLES.flatMap((role, turn) => {
    if (isExhaustive || isForRow(row, role)) return all.filter((one) => one.role === role)
    // Where a role's answer is the same everywhere, the place is only one value among others.
    const place = COMPANY_RELATIONS[(index + turn) % COMPANY_RELATIONS.length] ?? 'own'
    return alternating(row, index + turn).map((transport) => ({ role, place, transport }))
  })
  return { row, attempts }
})
function isForRow({ expected }: Row, role: Role) {
  return typeof expected[role] !== 'number'
}

test('each call is made by each role, at each place and over each transport; for a row, by each role at each place', () => {
  const missing = chosen.flatMap(({ row, attempts }) => {
    const made = new Set(
      attempts.flatMap(({ role, place, transport }) => [role, place, transport, `${role} ${place}`]),
    )
    const all = [
      ...ROLES,
      ...COMPANY_RELATIONS,
      ...transportsOf(row),
      ...ROLES.filter((role) => isForRow(row, role)).flatMap((role) =>
        COMPANY_RELATIONS.map((place) => `${role} ${place}`),
      ),
    ]
    return all.filter((one) => !made.has(one)).map((one) => `${nameOf(row)}: ${one}`)
  })
  expect(missing).toEqual([])
  const pairs = new Set(
    chosen.flatMap(({ row, attempts }) =>
      attempts.flatMap(({ role, place, transport }) => {
        const kind = transport === row.procedure ? 'tRPC' : 'REST'
        return [`${role} ${kind}`, `${place} ${kind}`, `${role} ${place}`]
      }),
    ),
  )
  expect(pairs.size).toBe(5 * 2 + 3 * 2 + 5 * 3)
})

describe.each(chosen.map((one, index) => [nameOf(one.row), { ...one, index }] as const))(
  '%s',
  (_, { row, attempts, index }) => {
    /** An upload answers 201 in REST; everything else answers the same status over REST and tRPC. */
    const expectedFor = (made: readonly Attempt[], expected: number | readonly number[]) =>
      Object.fromEntries(
        made.map(({ transport, place }) => [
          `${transport} ${place}`,
          typeof expected === 'number' ? expected : expected[COMPANY_RELATIONS.indexOf(place)],
        ]),
      )

    test.each(ROLES)(`as ${'%s'}: own, filial, foreign (D-38, D-39)`, async (role) => {
      const made = attempts.filter((one) => one.role === role)
      const who = () => (isReading(row) ? reader(role) : caller(role))
      expect(await statusesOf(row, made, who, ({ token }) => token)).toEqual(
        expectedFor(made, row.expected[role]),
      )
    })

    test('with a token of each scope, by whoever may do most (D-38)', async () => {
      const least = LEAST_TOKEN[nameOf(row)]
      for (const [at, scope] of TOKEN_SCOPES.entries()) {
        const made = alternating(row, index + at).map((transport) => ({ transport, place: 'own' as const }))
        const person = await caller('superuser')
        const isEnough =
          least !== 'sign-in' && (!least || TOKEN_SCOPES.indexOf(scope) >= TOKEN_SCOPES.indexOf(least))
        const { token } = await testApp.make.apiToken({ user_id: person.id, scope })
        const statuses = await statusesOf(
          row,
          made,
          async () => person,
          () => token,
        )
        const expected = isEnough ? row.expected.superuser : 403
        expect([scope, statuses]).toEqual([scope, expectedFor(made, expected)])
      }
    })

    test('as anonymous', async () => {
      const made = COMPANY_RELATIONS.flatMap((place, at) =>
        alternating(row, index + at).map((transport) => ({ transport, place })),
      )
      const somebody = await caller('admin')
      const statuses = await statusesOf(
        row,
        made,
        async () => somebody,
        () => '',
      )
      expect(statuses).toEqual(expectedFor(made, row.anonymous ?? 401))
    })
  },
)

/** The transports of a row in turn, so that each meets each token and place over all rows; all in the exhaustive run. */
function alternating(row: Row, turn: number) {
  const transports = transportsOf(row)
  return isExhaustive ? transports : transports.filter((_, at) => at === turn % transports.length)
}
