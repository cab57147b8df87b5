import type { Issue } from '@garantia/shared/errors'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { count } from '../support/exhaustive.ts'
import { startTestApp } from '../support/test-app.ts'
import type { MatrixFixture, Row, TestUser } from './matrix-fixture.ts'
import { MATRIX } from './matrix-rows.ts'
import { ODD } from './odd-values.ts'
import { type Call, createOpenApiChecker } from './openapi-checker.ts'
import { callProcedure, procedures } from './procedures.ts'

/** Two identical installations, so that what REST wrote does not conflict with what tRPC writes. */
const fixtures = { rest: await sceneOf(), trpc: await sceneOf() }
afterAll(() => Promise.all(Object.values(fixtures).map(({ testApp }) => testApp[Symbol.asyncDispose]())))
const { calls, document } = await createOpenApiChecker(fixtures.rest.testApp.app)

async function sceneOf(): Promise<MatrixFixture> {
  const testApp = await startTestApp({ SIGNUP_LIMIT: '0', RECOVERY_LIMIT: '0', LOGIN_LIMIT: '0' })
  const own = await testApp.make.company()
  return {
    testApp,
    brand: await testApp.make.brand({ max_evidence_count: 1_000 }),
    companies: {
      own,
      filial: await testApp.make.company({ parent_id: own.id }),
      foreign: await testApp.make.company(),
    },
  }
}

/** At, below and above the limits of the existing fields. */
const BORDERLINE: readonly unknown[] = [
  ...[1, 2, 3, 7, 8, 30, 31, 80, 81, 120, 121, 128, 129, 255, 256, 5_000, 5_001].map((length) =>
    'x'.repeat(length),
  ),
  ...[1, 2, 0.01, 0.001, 99, 365, 366, 1899, 1900, 2_000_000, 2_000_001, 999_999_999.99, 1_000_000_000],
  ...['000001', '12345', 'ABC1D23', 'abc-1234', '52998224725', '529.982.247-25', '11.222.333/0001-81'],
  ...['a@b.co', 'a@b', 'SP', 'sp', '01310-100', '(11) 98765-4321', '9BWZZZ377VT004251'],
  ...['admin', 'manager', 'technician', 'matriz', 'filial', 'ready', [1], false, undefined],
]

const isWrite = ({ rest, procedure }: Row) =>
  rest.length > 0 && procedures.find(({ path }) => path === procedure)?.type === 'mutation'
const writes = MATRIX.filter(isWrite)
  .flatMap((row) => row.rest.map((call) => ({ call, row })))
  .map((write, index) => ({ ...write, index }))

test('every mutation available over REST and tRPC is compared', () => {
  const changing = calls.filter(({ method }) => method !== 'GET').map(({ call }) => call)
  const compared = writes.map(({ call }) => call)
  const inOneTransport = changing.filter((call) => !compared.includes(call))
  // Files are uploaded by REST alone, whole or in chunks; screens read the mail in the list of mails.
  expect(inOneTransport.sort()).toEqual([
    'DELETE /guest/uploads/{id}',
    'DELETE /uploads/{id}',
    'HEAD /guest/uploads/{id}',
    'HEAD /uploads/{id}',
    'PATCH /guest/uploads/{id}',
    'PATCH /uploads/{id}',
    'POST /companies/{id}/logo',
    'POST /evidence/{id}/upload',
    'POST /guest/uploads',
    'POST /password-recovery-html-content/{email}',
    'POST /remittances',
    'POST /service-orders/imports',
    'POST /uploads',
  ])
})

/** Every field the document names in a body. */
function fieldsOf({ operation }: Call) {
  const schema = operation.requestBody?.content['application/json']?.schema
  const name = (schema?.$ref as string | undefined)?.split('/').at(-1)
  const whole = (name ? document.components.schemas[name] : schema) as { properties?: object } | undefined
  return Object.keys(whole?.properties ?? {})
}

interface Change {
  field: string
  value: unknown
}
interface Verdict {
  status: number
  detail: unknown
}

/** Numbers in a sentence are ids and serials of one installation; tRPC nests a change one level deeper. */
const comparable = (detail: string | Issue[] | undefined) =>
  typeof detail === 'string'
    ? detail.replace(/\d+/g, '#')
    : detail?.map((issue) => ({ ...issue, loc: issue.loc.filter((step) => step !== 'change') }))

async function personIn({ testApp, companies }: MatrixFixture): Promise<TestUser> {
  const user = await testApp.make.user({ role: 'admin', company_id: companies.own.id })
  return { ...(await testApp.as(user)), id: user.id, email: user.email }
}

async function byRest(call: string, row: Row, change: Change): Promise<Verdict> {
  const fixture = fixtures.rest
  const who = await personIn(fixture)
  const { path = '', body, headers } = await row.attempt(fixture, 'filial', who)
  const [method, url = ''] = call.split(' ') as ['POST', string]
  const there = body === undefined ? path.replace(/^[^/?]+/, encodeURIComponent(String(change.value))) : path
  const answer = await who.api(
    method,
    url.replace(/\{.*\}/, there),
    body === undefined ? undefined : changed(body as object, change),
    headers,
  )
  return {
    status: answer.statusCode,
    detail: answer.statusCode < 400 ? null : comparable(answer.json().detail),
  }
}

async function byTrpc(row: Row, change: Change): Promise<Verdict> {
  const fixture = fixtures.trpc
  const who = await personIn(fixture)
  const { body, input } = await row.attempt(fixture, 'filial', who)
  const given = input as { change?: object } & Record<string, unknown>
  const isOfWhole = change.field === 'version'
  const sent =
    body === undefined
      ? Object.fromEntries(
          Object.entries(given ?? {}).map(([name, was]) => [name, IN_PATH.test(name) ? change.value : was]),
        )
      : given.change && !isOfWhole
        ? { ...given, change: changed(given.change, change) }
        : changed(given, change)
  const { status, error } = await callProcedure(fixture.testApp, who.token, row.procedure ?? '', sent)
  return { status, detail: status < 400 ? null : comparable(error?.data.detail) }
}

/** The fields that identify a row; the rest of the input stays as it is. */
const IN_PATH = /id$|^email$/

const changed = (whole: object, { field, value }: Change) => ({ ...whole, [field]: value })

describe('REST and tRPC give the same verdict', () => {
  test.each(writes)('on any $call', async ({ call, row, index }) => {
    const one = calls.find((other) => other.call === call)
    if (!one) throw new Error(`${call} is not in the document`)
    const fields = row.alike ?? fieldsOf(one)
    const changes = fields.length > 0 ? changesOf(fields, row) : idsOf(one)
    const examples = examplesOf(fields, row, index)
    await fc.assert(
      fc.asyncProperty(changes, async (change) => {
        const [rest, trpc] = await Promise.all([byRest(call, row, change), byTrpc(row, change)])
        if (fields.length > 0) expect(rest).toEqual(trpc)
        // Ids in the URL are validated by a rule of their own, with other messages.
        else expect(rest.status).toBe(trpc.status)
      }),
      { examples, numRuns: examples.length + count({ exhaustive: 20, default: 3 }) },
    )
  })
})

/** A field that one of several use cases requires may be absent in their common REST call. */
const mayBe = ({ value }: Change, { alike }: Row) => !alike || value !== undefined

const VALUES = [...BORDERLINE, ...ODD]
/** Each field once; over all calls, every value. */
const examplesOf = (fields: string[], row: Row, index: number): [Change][] =>
  fields
    .map((field, at) => ({ field, value: VALUES[(index + at) % VALUES.length] }))
    .filter((change) => mayBe(change, row))
    .map((change) => [change])

const changesOf = (fields: string[], row: Row) =>
  fc
    .record({
      field: fc.constantFrom(...fields, 'nada_disso'),
      value: fc.oneof(fc.constantFrom(...VALUES), fc.string(), fc.integer()),
    })
    .filter((change) => mayBe(change, row))

/** Without a body only the URL can be invalid. */
const idsOf = ({ path }: Call): fc.Arbitrary<Change> =>
  fc.record({
    field: fc.constant('id'),
    value: path.includes('{email}')
      ? fc.constantFrom('a@b.co', 'nada', 'a@', ' ', 'x'.repeat(300), 'ç@ç')
      : fc.constantFrom(0, -1, 1.5, 1, 2, 77_777, 999_999_999_999_999, 1_000_000_000_000_000),
  })
