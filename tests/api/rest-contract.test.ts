import { accessToken, message } from '@garantia/shared/auth/schema'
import { brandList, brandsInitialized, brandView, evidenceRules } from '@garantia/shared/brands/schema'
import { companyList } from '@garantia/shared/companies/schema'
import { dossierList, dossierView } from '@garantia/shared/dossier/schema'
import { validationResult } from '@garantia/shared/evidence/checks'
import {
  batchStarted,
  conversionReport,
  conversionStarted,
  conversionState,
  evidenceDetail,
  evidenceFile,
  evidenceList,
  uploadResult,
} from '@garantia/shared/evidence/schema'
import { listOf } from '@garantia/shared/fields'
import { historyPage } from '@garantia/shared/orders/history'
import { orderPage, orderView, transitionView } from '@garantia/shared/orders/schema'
import { apiTokenList, newApiToken } from '@garantia/shared/tokens/schema'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { picture } from '../support/make.ts'
import { multipart, PASSWORD, world } from '../support/world.ts'
import { described } from './described.ts'
import { listContract } from './list-rows.ts'
import { peopleRows, type Row } from './people-rows.ts'
import { restRoutes } from './routes.ts'
import { uploadContract } from './upload-rows.ts'

const w = await world()
afterAll(() => w[Symbol.asyncDispose]())
const document = await described(w.app)

const user = await w.make.user({ is_superuser: true, email: 'chefe@exemplo.com.br' })
const boss = await w.as(user)
const brand = await w.make.brand()
const company = await w.make.company()
const order = await w.make.order({ brand_id: brand.id, company_id: company.id })
const ended = await w.make.order({ brand_id: brand.id, company_id: company.id })
const waiting = await w.make.evidence({ order_id: order.id })
const converted = await w.make.converted({ order_id: order.id })
const doomed = await w.make.evidence({ order_id: order.id })
const sealed = await w.make.converted()
await w.make.dossier(sealed.order_id)

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const login = `grant_type=password&username=CHEFE%40exemplo.com.br&password=${PASSWORD}`
const upload = async () => multipart([{ name: 'files', filename: 'a.jpg', content: await picture() }])
const newOrder = (os_number: string) => ({
  os_number,
  brand_id: brand.id,
  company_id: company.id,
  customer_document: '529.982.247-25',
  customer_phone: '(11) 98765-4321',
  vehicle_year: 2024,
  service_value: 10.5,
  parts_value: 1,
  total_value: 999,
})

const [o, e, c] = [order.id, waiting.id, converted.id]

/** One row a call: method, path, body, status and the schema of its answer. */
const ROWS: Row[] = [
  { id: 'D-54', call: 'GET /utils/health-check', path: '/utils/health-check/', reply: z.literal(true) },
  {
    id: 'API-4',
    call: 'POST /login/access-token',
    path: '/login/access-token',
    body: login,
    headers: FORM,
    reply: accessToken,
  },
  {
    id: 'API-5',
    call: 'POST /token',
    path: '/token',
    body: { username: user.email, password: PASSWORD },
    reply: accessToken,
  },
  { id: 'API-35', call: 'GET /brands', path: '/brands/', reply: brandList },
  { id: 'API-36', call: 'GET /brands/{id}', path: `/brands/${brand.id}`, reply: brandView },
  {
    id: 'D-33',
    call: 'PATCH /brands/{id}',
    path: `/brands/${brand.id}`,
    body: { storage_retention_months: null, naming_template: '{os}_{seq2}' },
    reply: brandView,
  },
  {
    id: 'API-37',
    call: 'GET /brands/{id}/companies',
    path: `/brands/${brand.id}/companies`,
    reply: companyList,
  },
  {
    id: 'API-38',
    call: 'GET /brands/{id}/evidence-rules',
    path: `/brands/${brand.id}/evidence-rules`,
    reply: evidenceRules,
  },
  { id: 'API-39', call: 'POST /brands/initialize', path: '/brands/initialize', reply: brandsInitialized },
  {
    id: 'API-29',
    call: 'GET /service-orders',
    path: '/service-orders/?search=&status=&brand_id=&skip=0&limit=10',
    reply: orderPage,
  },
  ...listContract((await w.make.order({ brand_id: brand.id, company_id: company.id })).id),
  { id: 'API-30', call: 'GET /service-orders/{id}', path: `/service-orders/${o}`, reply: orderView },
  {
    id: 'API-31',
    call: 'POST /service-orders',
    path: '/service-orders/',
    body: newOrder('123456'),
    reply: orderView,
  },
  {
    id: 'API-32',
    call: 'PUT /service-orders/{id}',
    path: `/service-orders/${o}`,
    body: { ...newOrder('999999'), customer_name: 'Maria' },
    reply: orderView,
  },
  {
    id: 'D-04',
    call: 'PATCH /service-orders/{id}',
    path: `/service-orders/${o}/`,
    body: { customer_name: null },
    reply: orderView,
  },
  {
    id: 'API-34',
    call: 'POST /service-orders/{id}/status/{status}',
    path: `/service-orders/${ended.id}/status/completed`,
    reply: orderView,
  },
  {
    id: 'API-34',
    call: 'POST /service-orders/{id}/status/{status}',
    path: `/service-orders/${ended.id}/status/in_analysis/?reason=Nota%20errada`,
    reply: orderView,
  },
  {
    id: 'decisions 2',
    call: 'GET /service-orders/{id}/allowed-transitions',
    path: `/service-orders/${o}/allowed-transitions`,
    reply: listOf(transitionView),
  },
  {
    id: 'D-30',
    call: 'GET /service-orders/{id}/history',
    path: `/service-orders/${o}/history?limit=10&before=`,
    reply: historyPage,
  },
  {
    id: 'API-33',
    call: 'DELETE /service-orders/{id}',
    path: `/service-orders/${ended.id}`,
    reply: message,
  },
  {
    id: 'API-40',
    call: 'POST /evidence/{id}/upload',
    path: `/evidence/${o}/upload?category=placa`,
    ...(await files()),
    status: 201,
    reply: uploadResult,
  },
  { id: 'API-41', call: 'GET /evidence/{id}/evidence', path: `/evidence/${o}/evidence`, reply: evidenceList },
  { id: 'ENT-16', call: 'GET /evidence/{id}', path: `/evidence/${c}`, reply: evidenceDetail },
  {
    id: 'decisions 49',
    call: 'PUT /evidence/{id}/rotation',
    path: `/evidence/${waiting.id}/rotation`,
    body: { rotation: 180 },
    reply: evidenceDetail,
  },
  {
    id: 'INST-5',
    call: 'PATCH /evidence/{id}',
    path: `/evidence/${e}`,
    body: { evidence_category: 'odometro', description: 'Painel' },
    reply: evidenceFile,
  },
  {
    id: 'API-42',
    call: 'DELETE /evidence/{id}',
    path: `/evidence/${doomed.id}`,
    reply: z.object({ message: z.string() }),
  },
  {
    id: 'API-43',
    call: 'POST /evidence/{id}/validate',
    path: `/evidence/${o}/validate`,
    reply: validationResult,
  },
  { id: 'API-44', call: 'GET /evidence/{id}/download', path: `/evidence/${c}/download`, reply: 'file' },
  {
    id: 'API-44',
    call: 'GET /evidence/{id}/download',
    path: `/evidence/${e}/download?original=true`,
    reply: 'file',
  },
  {
    id: 'API-45',
    call: 'GET /evidence/{id}/download-all',
    path: `/evidence/${o}/download-all`,
    reply: 'file',
  },
  {
    id: 'API-49',
    call: 'GET /evidence-conversion/{id}/conversion-report',
    path: `/evidence-conversion/${o}/conversion-report`,
    reply: conversionReport,
  },
  {
    id: 'API-48',
    call: 'GET /evidence-conversion/{id}/status',
    path: `/evidence-conversion/${e}/status`,
    reply: conversionState,
  },
  {
    id: 'API-46',
    call: 'POST /evidence-conversion/{id}/convert',
    path: `/evidence-conversion/${e}/convert?force=false`,
    reply: conversionStarted,
  },
  {
    id: 'API-47',
    call: 'POST /evidence-conversion/{id}/convert-all',
    path: `/evidence-conversion/${o}/convert-all?force=true`,
    reply: batchStarted,
  },
  {
    id: 'INST-5',
    call: 'GET /openapi.json',
    path: '/openapi.json',
    reply: z.looseObject({ openapi: z.literal('3.1.0') }),
  },
  { id: 'INST-5', call: 'GET /tokens', path: '/tokens/', reply: apiTokenList },
  {
    id: 'INST-5',
    call: 'POST /tokens',
    path: '/tokens/',
    body: { name: 'ERP', expires_in_days: 30 },
    reply: newApiToken,
  },
  {
    id: 'INST-5',
    call: 'DELETE /tokens/{id}',
    path: `/tokens/${(await w.make.apiToken({ user_id: user.id })).id}`,
    reply: message,
  },
  {
    id: 'beyond 1.3',
    call: 'GET /service-orders/{id}/dossier',
    path: `/service-orders/${sealed.order_id}/dossier`,
    reply: dossierList,
  },
  {
    id: 'beyond 1.3',
    call: 'POST /service-orders/{id}/dossier',
    path: `/service-orders/${sealed.order_id}/dossier`,
    reply: dossierView,
  },
  {
    id: 'beyond 1.3',
    call: 'GET /service-orders/{id}/dossier/{id}/download',
    path: `/service-orders/${sealed.order_id}/dossier/1/download?part=zip`,
    reply: 'file',
  },
  ...(await peopleRows(w)),
  ...(await uploadContract(boss, order.id)),
]
async function files() {
  const { body, headers } = await upload()
  return { body, headers }
}

test.each(ROWS)(
  '$call answers as specified ($id)',
  async ({ call, path, body, headers, status = 200, reply, as = boss }) => {
    const answer = await as.api(call.split(' ')[0] as 'GET', path, body, headers)
    expect(answer.statusCode).toBe(status)
    document.check(call, answer)
    if (reply === 'nothing') expect(answer.body).toBe('')
    else if (reply === 'page') expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    else if (reply === 'file') expect(answer.rawPayload.length).toBeGreaterThan(0)
    else {
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
      reply.parse(answer.json())
    }
  },
)

test('every call the server answers has its row above', () => {
  const routes = restRoutes(w.app).map(({ method, path }) => `${method} ${path}`)
  expect(routes.length).toBeGreaterThanOrEqual(44)
  expect([...new Set(ROWS.map(({ call }) => call))].sort()).toEqual(routes.sort())
})
