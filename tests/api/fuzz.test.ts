import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { multipart, PASSWORD, startTestApp } from '../support/test-app.ts'
import { creationHeaders, metadata } from '../support/tus.ts'
import { ODD, ODD_LITERALS, oddValuesIn } from './odd-values.ts'
import { type Answer, type Call, createOpenApiChecker } from './openapi-checker.ts'

const testApp = await startTestApp({ SIGNUP_LIMIT: '0', RECOVERY_LIMIT: '0', LOGIN_LIMIT: '0' })
afterAll(() => testApp[Symbol.asyncDispose]())

const { calls, check } = await createOpenApiChecker(testApp.app)
const brand = await testApp.make.brand()
const company = await testApp.make.company()
const order = await testApp.make.order({ brand_id: brand.id, company_id: company.id })
await testApp.make.converted({ order_id: order.id })
await testApp.make.dossier(order.id, order.id)

/** The calls under test may deactivate or delete their own caller; then a new one is created. */
let boss = await signIn()
beforeAll(async () => {
  await testApp.make.user({ is_superuser: true })
})
async function signIn() {
  return testApp.as(await testApp.make.user({ is_superuser: true, company_id: null }))
}
const isSignedOut = async () => (await boss.api('GET', '/users/me')).statusCode === 401

/** A call that takes longer counts as hung. */
const LONGEST_MS = 5_000

/** The answer must be one the document describes: no 5xx, no stack trace. */
async function send(one: Call, path: string, body?: unknown, headers = {}): Promise<Answer> {
  const { call, method } = one
  const started = performance.now()
  const answer = await boss.api(method as 'GET', path, body, headers)
  if (answer.statusCode === 401 && (await isSignedOut())) {
    boss = await signIn()
    return send(one, path, body, headers)
  }
  if (performance.now() - started > LONGEST_MS) throw new Error(`${call} took too long`)
  if (/\bat .+\.ts:\d+|node_modules|select .+ from /.test(answer.body) && !path.startsWith('/openapi'))
    throw new Error(`${call} tells where it fails: ${answer.body.slice(0, 300)}`)
  // Such a URL may match another route or none; one that is too long is even refused by the static files
  // (403).
  const unroutedStatuses = path.length > 5_000 ? [403, 404, 414] : [400, 404, 405]
  if (!unroutedStatuses.includes(answer.statusCode)) check(call, answer)
  return answer
}

const withIds = (path: string) =>
  path
    .replace('{email}', 'a%40b.co')
    .replace('{status}', 'pending')
    .replace('/uploads/{id}', `/uploads/${randomUUID()}`)
    .replace(/\{\w+\}/g, String(order.id))
const bodyOf = ({ operation }: Call) =>
  operation.requestBody?.content['application/json'] as
    | { schema: object; example: Record<string, unknown> }
    | undefined
const inUrl = (value: unknown) =>
  encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed())

const namesOf = (params: { name: string }[]) => params.map(({ name }) => name)

/** In headers that are numbers. */
const ODD_NUMERALS = ['1,1', '0x10', '1e3', '-1', '+1', '01', ' ', ',']
const JSON_TYPE = { 'content-type': 'application/json' }

describe.each(calls)('$call answers any input as documented', (one) => {
  const { path, operation } = one
  const params = operation.parameters ?? []
  const inPath = params.filter(({ in: where }) => where === 'path')
  const inQuery = params.filter(({ in: where }) => where === 'query')
  const inHeader = params.filter(({ in: where }) => where === 'header')

  if (inPath.length > 0)
    test('in its path', async () => {
      // An empty id would be the URL of the list.
      for (const { field, value } of oddValuesIn(namesOf(inPath)))
        if (value !== '') await send(one, withIds(path.replace(`{${field}}`, inUrl(value))))
    })

  if (inQuery.length > 0)
    test('in every parameter of its query', async () => {
      for (const { field, value } of oddValuesIn(namesOf(inQuery))) {
        await send(one, `${withIds(path)}?${field}=${inUrl(value)}`)
        await send(one, `${withIds(path)}?${field}[x]=${inUrl(value)}&${field}=1&${field}=2`)
      }
    })

  if (inHeader.length > 0)
    test('in every header it reads', async () => {
      const sound = creationHeaders(1_000, { order_id: order.id, filename: 'a.jpg' })
      const headers = namesOf(inHeader)
      for (const { field, value } of oddValuesIn(headers))
        await send(one, withIds(path), undefined, { ...sound, [field]: inUrl(value) })
      for (const { field, value } of oddValuesIn(headers, [ODD_NUMERALS]))
        await send(one, withIds(path), undefined, { ...sound, [field]: value })
      const fields = ['order_id', 'filename', 'category', 'description', 'sha256', 'nada']
      for (const { field, value } of oddValuesIn(fields)) {
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        const given = metadata({ order_id: order.id, filename: 'a.jpg', [field]: text.toWellFormed() })
        await send(one, withIds(path), undefined, { ...sound, 'upload-metadata': given })
      }
    })

  const body = bodyOf(one)
  if (params.length === 0 && !body)
    test('in a parameter it does not have', async () => {
      for (const value of ODD) await send(one, `${withIds(path)}?nada=${inUrl(value)}`)
    })

  // A PUT beside a PATCH is the same use case.
  const isTwin =
    one.method === 'PUT' && calls.some((other) => other.call === one.call.replace('PUT', 'PATCH'))
  if (body && !isTwin)
    test('in every field of its body', async () => {
      const whole = { ...example(body?.example) }
      const fields = fieldsOf(one)
      for (const { field, value } of oddValuesIn(fields))
        await send(one, withIds(path), { ...whole, [field]: value })
      for (const { field, value: literal } of oddValuesIn(fields, [ODD_LITERALS])) {
        const { [field]: _, ...rest } = whole
        const text = `${JSON.stringify(rest).slice(0, -1)}${Object.keys(rest).length > 0 ? ',' : ''}"${field}":${literal}}`
        await send(one, withIds(path), text, JSON_TYPE)
      }
    })

  if (body)
    test('in place of its body', async () => {
      for (const value of ODD) await send(one, withIds(path), JSON.stringify(value), JSON_TYPE)
      for (const text of [
        '{',
        '[1,',
        '{"a":1}{"b":2}',
        '\ufeff{}',
        'undefined',
        '{"a":1e999999}',
        '['.repeat(50_000),
      ])
        await send(one, withIds(path), text, JSON_TYPE)
    })
})

const upload = calls.find(({ call }) => call === 'POST /evidence/{id}/upload')

test('an upload accepts or refuses any text in its fields and any file name', async () => {
  if (!upload) throw new Error('no call takes files')
  const texts = ODD.filter((odd) => typeof odd === 'string').map((odd) => odd.toWellFormed())
  const before = (await testApp.filesOnDisk()).length
  let kept = 0
  for (const text of texts)
    for (const [name, filename] of [
      ['category', 'a.jpg'],
      ['description', 'a.jpg'],
      ['nada_disso', text.replace(/[\r\n"]/g, '_')],
    ] as const) {
      const { body, headers } = multipart([
        { name, content: text },
        { name: 'files', filename, content: await picture() },
      ])
      const answer = await send(
        upload,
        `/evidence/${(await testApp.make.order({ brand_id: brand.id })).id}/upload`,
        body,
        headers,
      )
      if (answer.statusCode === 201) kept++
    }
  expect(kept).toBeGreaterThan(texts.length)
  expect(await testApp.filesOnDisk()).toHaveLength(before + kept)
})

/** The document's example with existing ids, so that the odd field is the only invalid one. */
function example(given: Record<string, unknown> = {}) {
  const real = { brand_id: brand.id, company_id: company.id, current_password: PASSWORD }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      name in real ? real[name as keyof typeof real] : value,
    ]),
  )
}

/** Every field of the schema at any depth, read from the document alone. */
function fieldsOf(one: Call): string[] {
  const { schema } = bodyOf(one) ?? { schema: {} }
  const { $ref } = schema as { $ref?: string }
  const named = $ref ? documentSchemas[$ref.split('/').at(-1) ?? ''] : schema
  return Object.keys((named as { properties?: object } | undefined)?.properties ?? {})
}
const documentSchemas = (await createOpenApiChecker(testApp.app)).document.components.schemas

test('afterwards the server and its data are intact', async () => {
  expect((await boss.api('GET', '/utils/health-check')).json()).toBe(true)
  expect((await boss.api('GET', `/service-orders/${order.id}`)).json()).toMatchObject({ id: order.id })
  expect((await boss.api('GET', '/users')).json().count).toBeGreaterThan(1)
})
