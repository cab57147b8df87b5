import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { MATRIX } from './matrix-rows.ts'
import { createOpenApiChecker } from './openapi-checker.ts'
import { restRoutes } from './routes.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { document, calls, allows } = await createOpenApiChecker(testApp.app)

test('the document is valid OpenAPI 3.1 (INST-5)', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  })
  const messages = problems
    // The health check and this document take no input that could be invalid.
    .filter(({ ruleId }) => ruleId !== 'operation-4xx-response')
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)
  expect(messages).toEqual([])
})

test('it describes every call of the server and no other (API-1 to API-50)', () => {
  const routes = restRoutes(testApp.app).map(({ method, path }) => `${method} ${path}`)
  expect(calls.map(({ call }) => call).sort()).toEqual(routes.sort())
})

test('every call has a Portuguese summary and a tag', () => {
  const undescribed = calls.filter(
    ({ method, operation }) => operation.summary.startsWith(`${method} /`) || operation.tags[0] === 'Outros',
  )
  expect(undescribed.map(({ call }) => call)).toEqual([])
  const ids = calls.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

/** Features that docs/api.md and the document declare absent from REST, with their procedures. */
const ONLY_ON_SCREENS = {
  'vistas salvas': /^savedViews\./,
  'caixa de saída': /^mail\./,
  auditoria: /^audit\./,
  sessões: /^account\.(sessions|closeSession)$/,
  'retenção judicial': /^retention\./,
  'uso do armazenamento': /^quota\./,
  'criação de links para fotos': /^guestLinks\./,
  'diagnóstico e fila': /^installation\./,
  webhooks: /^webhooks\./,
  'novidades ao vivo': /^live\./,
}
test.each(Object.entries(ONLY_ON_SCREENS))(
  'the introduction names what REST does not have: %s',
  (words, which) => {
    expect(document.info.description).toContain(words)
    const rows = MATRIX.filter(({ procedure = '' }) => which.test(procedure))
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.flatMap(({ rest }) => rest)).toEqual([])
  },
)

describe('every JSON body has an example that its schema allows', () => {
  const bodies = calls.flatMap(({ call, operation }) =>
    Object.entries(operation.requestBody?.content ?? {})
      .filter(([type]) => !['multipart/form-data', 'application/offset+octet-stream'].includes(type))
      .map(([type, { example }]) => ({ call, type, example })),
  )
  test.each(bodies)('$call as $type', ({ call, type, example }) => {
    expect(example).toBeDefined()
    expect(allows(call, type, example)).toBe(true)
  })
})

test('files, ranges, tags and both ways to sign in are described', () => {
  const at = (path: string, method = 'get') => document.paths[path]?.[method]
  expect(
    at('/evidence/{order_id}/upload', 'post')?.requestBody?.content['multipart/form-data'],
  ).toMatchObject({
    schema: { required: ['files'], properties: { files: {}, category: {}, description: {} } },
  })
  expect(Object.keys(at('/login/access-token', 'post')?.requestBody?.content ?? {})).toEqual([
    'application/x-www-form-urlencoded',
    'application/json',
  ])
  expect(Object.keys(at('/evidence/{id}/download')?.responses ?? {})).toEqual(
    expect.arrayContaining(['200', '206', '304', '409', '416']),
  )
  expect(Object.keys(at('/evidence/{order_id}/evidence')?.responses ?? {})).toContain('304')
  expect(document).toMatchObject({
    openapi: '3.1.0',
    security: [{ bearer: [] }, { password: [] }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        password: { type: 'oauth2', flows: { password: { tokenUrl: '/api/v1/login/access-token' } } },
      },
    },
  })
})

describe('/docs', () => {
  const get = (url: string, accept = 'text/html') =>
    testApp.app.inject({ method: 'GET', url, headers: { accept } })

  test.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/', 'text/html; charset=utf-8'],
    ['/docs/start.js', 'application/javascript; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'application/javascript; charset=utf-8'],
  ])('%s is served from the own origin under the app’s own CSP', async (url, type) => {
    const answer = await get(url)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type])
    const policy = String(answer.headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';style-src 'self'")
    // Swagger UI writes markup as text; every other page may not.
    const isStrict = policy.includes("require-trusted-types-for 'script';trusted-types service-worker")
    expect(isStrict).toBe(!/^\/docs\/?$/.test(url))
  })

  test('shows which versions decode files, and what a program calls itself is no HTML', async () => {
    expect((await get('/docs')).body).toContain('nenhum processo em execução informou')
    const tools = { garantia: '0.1.0', ffmpeg: '5.1.9-0+deb12u1<b>', sharp: '0.35.5', libvips: null }
    await testApp.kernel.ctx.db
      .insertInto('worker_processes')
      .values({ worker_id: 'x', lock_key: 1, tools: JSON.stringify(tools) })
      .execute()
    expect((await get('/docs')).body).toContain(
      'Garantia 0.1.0. Conversões: ffmpeg 5.1.9-0+deb12u1b, sharp 0.35.5, libvips ausente.',
    )
  })

  test('names no other host', async () => {
    expect((await get('/docs')).body).not.toMatch(/https?:|\/\/[a-z]/)
  })

  test.each(['/docs/nada', '/docs/package.json', '/docs/..%2fpackage.json', '/docs/index.html'])(
    '%s is neither served nor mistaken for a screen of the app',
    async (url) => {
      const answer = await get(url)
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not Found' }])
    },
  )
})
