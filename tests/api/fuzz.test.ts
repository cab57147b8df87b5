import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { multipart, PASSWORD, startTestApp } from '../support/test-app.ts'
import { creationHeaders, metadata } from '../support/tus.ts'
import { ODD, ODD_LITERALS } from './odd-values.ts'
import { type Call, createOpenApiChecker } from './openapi-checker.ts'

const w = await startTestApp({ SIGNUP_LIMIT: '0', RECOVERY_LIMIT: '0', LOGIN_LIMIT: '0' })
afterAll(() => w[Symbol.asyncDispose]())

const { calls, check } = await createOpenApiChecker(w.app)
const brand = await w.make.brand()
const company = await w.make.company()
const order = await w.make.order({ brand_id: brand.id, company_id: company.id })
await w.make.converted({ order_id: order.id })
await w.make.dossier(order.id, order.id)

/** The one who asks may be deactivated or leave by what is asked; then somebody else goes on. */
let boss = await w.as(await w.make.user({ is_superuser: true, company_id: null }))
beforeAll(async () => {
  await w.make.user({ is_superuser: true })
})
async function stillSignedIn() {
  if ((await boss.api('GET', '/users/me')).statusCode === 401)
    boss = await w.as(await w.make.user({ is_superuser: true, company_id: null }))
}

/** A call that takes this long is stuck. */
const PATIENCE_MS = 5_000

/** Answered with what the document says; never a fault of ours, never a trace of where it happened. */
async function send({ call, method }: Call, path: string, body?: unknown, headers = {}) {
  const started = performance.now()
  const answer = await boss.api(method as 'GET', path, body, headers)
  if (performance.now() - started > PATIENCE_MS) throw new Error(`${call} took too long`)
  if (/\bat .+\.ts:\d+|node_modules|select .+ from /.test(answer.body) && !path.startsWith('/openapi'))
    throw new Error(`${call} tells where it fails: ${answer.body.slice(0, 300)}`)
  // An address that reads as another call, or as none: too long even for the files of the client (403).
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

const JSON_TYPE = { 'content-type': 'application/json' }

describe.each(calls)('$call takes anything without falling', (one) => {
  const { path, operation } = one
  const params = operation.parameters ?? []
  const inPath = params.filter(({ in: where }) => where === 'path')
  const inQuery = params.filter(({ in: where }) => where === 'query')
  const inHeader = params.filter(({ in: where }) => where === 'header')

  if (inPath.length > 0)
    test('in its path', async () => {
      // Without any id it is the address of the list.
      for (const { name } of inPath)
        for (const value of ODD.filter((odd) => odd !== ''))
          await send(one, withIds(path.replace(`{${name}}`, inUrl(value))))
    })

  if (inQuery.length > 0)
    test('in every parameter of its query', async () => {
      for (const { name } of inQuery)
        for (const value of ODD) {
          await send(one, `${withIds(path)}?${name}=${inUrl(value)}`)
          await send(one, `${withIds(path)}?${name}[x]=${inUrl(value)}&${name}=1&${name}=2`)
        }
    })

  if (inHeader.length > 0)
    test('in every header it reads', async () => {
      const sound = creationHeaders(1_000, { order_id: order.id, filename: 'a.jpg' })
      for (const { name } of inHeader)
        for (const value of [...ODD.map(inUrl), '1,1', '0x10', '1e3', '-1', '+1', '01', ' ', ','])
          await send(one, withIds(path), undefined, { ...sound, [name]: value })
      for (const field of ['order_id', 'filename', 'category', 'description', 'sha256', 'nada'])
        for (const odd of ODD) {
          const text = typeof odd === 'string' ? odd : JSON.stringify(odd)
          const given = metadata({ order_id: order.id, filename: 'a.jpg', [field]: text.toWellFormed() })
          await send(one, withIds(path), undefined, { ...sound, 'upload-metadata': given })
        }
    })

  const body = bodyOf(one)
  if (params.length === 0 && !body)
    test('beside what it does not ask for', async () => {
      for (const value of ODD) await send(one, `${withIds(path)}?nada=${inUrl(value)}`)
    })

  // A PUT beside a PATCH is the same row of the surface.
  const isTwin =
    one.method === 'PUT' && calls.some((other) => other.call === one.call.replace('PUT', 'PATCH'))
  if (body && !isTwin)
    test('in every field of its body', async () => {
      const whole = { ...example(body?.example) }
      for (const name of fieldsOf(one)) {
        for (const value of ODD) await send(one, withIds(path), { ...whole, [name]: value })
        for (const literal of ODD_LITERALS) {
          const { [name]: _, ...rest } = whole
          const text = `${JSON.stringify(rest).slice(0, -1)}${Object.keys(rest).length > 0 ? ',' : ''}"${name}":${literal}}`
          await send(one, withIds(path), text, JSON_TYPE)
        }
        await stillSignedIn()
      }
    })

  if (body)
    test('instead of its body', async () => {
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
      await stillSignedIn()
    })
})

const upload = calls.find(({ operation }) => operation.requestBody?.content['multipart/form-data'])

test('an upload takes any text in its fields and any name for its file', async () => {
  if (!upload) throw new Error('no call takes files')
  const texts = ODD.filter((odd) => typeof odd === 'string').map((odd) => odd.toWellFormed())
  const before = (await w.filesOnDisk()).length
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
        `/evidence/${(await w.make.order({ brand_id: brand.id })).id}/upload`,
        body,
        headers,
      )
      if (answer.statusCode === 201) kept++
    }
  expect(kept).toBeGreaterThan(texts.length)
  expect(await w.filesOnDisk()).toHaveLength(before + kept)
})

/** The example with ids that exist, so that one odd field is judged among good ones. */
function example(given: Record<string, unknown> = {}) {
  const real = { brand_id: brand.id, company_id: company.id, current_password: PASSWORD }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      name in real ? real[name as keyof typeof real] : value,
    ]),
  )
}

/** Every field the schema knows, wherever it stands; found by the document alone. */
function fieldsOf(one: Call): string[] {
  const { schema } = bodyOf(one) ?? { schema: {} }
  const { $ref } = schema as { $ref?: string }
  const named = $ref ? documentSchemas[$ref.split('/').at(-1) ?? ''] : schema
  return Object.keys((named as { properties?: object } | undefined)?.properties ?? {})
}
const documentSchemas = (await createOpenApiChecker(w.app)).document.components.schemas

test('and afterwards the server and its data are as sound as before', async () => {
  expect((await boss.api('GET', '/utils/health-check')).json()).toBe(true)
  expect((await boss.api('GET', `/service-orders/${order.id}`)).json()).toMatchObject({ id: order.id })
  expect((await boss.api('GET', '/users')).json().count).toBeGreaterThan(1)
})
