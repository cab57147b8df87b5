import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Inside the tests package, where openapi-fetch resolves; never committed. */
const FOLDER = join(ROOT, 'tests/.artifacts/typed-client')

const testApp = await startTestApp()
const base = await testApp.listen()
const user = await testApp.make.user({ is_superuser: true })
const { token } = await testApp.make.apiToken({ user_id: user.id })
const order = await testApp.make.order({ os_number: '004711' })
const environment = { ...process.env, GARANTIA_URL: base, GARANTIA_TOKEN: token, ORDER: String(order.id) }
afterAll(async () => {
  await rm(FOLDER, { recursive: true, force: true })
  await testApp[Symbol.asyncDispose]()
})

/** Every kind of call: path, query, JSON, form, multipart, bytes, and refusals with their types. */
const SMOKE = `
import createClient from 'openapi-fetch'
import type { components, paths } from './garantia.d.ts'

const api = createClient<paths>({ baseUrl: process.env.GARANTIA_URL + '/api/v1' })
api.use({
  onRequest({ request }) {
    request.headers.set('authorization', 'Bearer ' + process.env.GARANTIA_TOKEN)
  },
})
const order_id = Number(process.env.ORDER)
const results: unknown[] = []

const me = await api.GET('/users/me')
results.push(me.data?.is_superuser satisfies boolean | undefined)

const opened = await api.GET('/service-orders/{id}', { params: { path: { id: order_id } } })
const number: string | undefined = opened.data?.os_number
results.push(number)

const body: components['schemas']['OrderInput'] = { os_number: '12', brand_id: 1, company_id: 1 }
const refused = await api.POST('/service-orders', { body })
if (refused.error && typeof refused.error.detail !== 'string') results.push(refused.error.detail[0]?.loc)

const form = new FormData()
form.append('files', new Blob([Uint8Array.from(Buffer.from('/9j/2Q==', 'base64'))]), 'x.jpg')
const sent = await api.POST('/evidence/{order_id}/upload', {
  params: { path: { order_id }, query: { category: 'placa' } },
  body: { files: [] },
  bodySerializer: () => form,
})
results.push(sent.response.status)

const zip = await api.GET('/evidence/{order_id}/download-all', { params: { path: { order_id } }, parseAs: 'stream' })
results.push(zip.response.status, typeof zip.error?.detail)

// @ts-expect-error an order has no such field
results.push(opened.data?.nada_disso)
// @ts-expect-error a brand is a number
void (() => api.POST('/service-orders', { body: { ...body, brand_id: 'um' } }))
// @ts-expect-error there is no such address
void (() => api.GET('/nada'))

console.log(JSON.stringify(results))
`

beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(join(FOLDER, 'package.json'), '{ "type": "module" }')
  await writeFile(join(FOLDER, 'smoke.ts'), SMOKE)
  const [, example = ''] =
    /```ts\n(import createClient[\s\S]+?)```/.exec(await readFile(join(ROOT, 'docs/api.md'), 'utf8')) ?? []
  await writeFile(join(FOLDER, 'readme.ts'), example)
  await run(join(ROOT, 'tests/node_modules/.bin/openapi-typescript'), [
    `${base}/api/v1/openapi.json`,
    '-o',
    join(FOLDER, 'garantia.d.ts'),
  ])
})

test('the generated client and the script of docs/api.md compile', async () => {
  const tsconfig = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'nodenext',
      types: ['node'],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
    files: ['smoke.ts', 'readme.ts', 'garantia.d.ts'],
  }
  await writeFile(join(FOLDER, 'tsconfig.json'), JSON.stringify(tsconfig))
  const errors = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', FOLDER]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  expect(errors).toBe('')
})

const output = async (name: string) =>
  (await run(process.execPath, [join(FOLDER, name)], { env: environment })).stdout.trim()

test('it calls the server: JSON, files, bytes and refusals', async () => {
  expect(JSON.parse(await output('smoke.ts'))).toEqual([
    true,
    '004711',
    ['body', 'os_number'],
    expect.any(Number),
    409,
    'string',
    null,
  ])
})

test('the script of docs/api.md prints the orders', async () => {
  const brand = await testApp.kernel.ctx.db
    .selectFrom('brands')
    .select('display_name')
    .executeTakeFirstOrThrow()
  expect(await output('readme.ts')).toBe(`004711 ${brand.display_name}`)
})
