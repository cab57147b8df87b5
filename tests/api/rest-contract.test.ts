import { accessToken, message } from '@garantia/shared/auth/schema'
import { brandImportResult } from '@garantia/shared/brands/file'
import {
  brandList,
  brandsInitialized,
  brandView,
  evidenceRules,
  NEW_BRAND_RULES,
} from '@garantia/shared/brands/schema'
import { companyList } from '@garantia/shared/companies/schema'
import { confirmedDossier, dossierKeyList } from '@garantia/shared/dossier/proof'
import { dossierList, dossierView } from '@garantia/shared/dossier/schema'
import { listOf } from '@garantia/shared/fields'
import { historyPage } from '@garantia/shared/orders/history'
import { orderPage, orderView, transitionView } from '@garantia/shared/orders/schema'
import { apiTokenList, newApiToken } from '@garantia/shared/tokens/schema'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { PASSWORD, startTestApp } from '../support/test-app.ts'
import { archiveContract } from './archive-rows.ts'
import { claimMoneyContract } from './claim-money-contract.ts'
import { claimContract } from './claim-rows.ts'
import { deadlineContract } from './deadline-rows.ts'
import { evidenceContract } from './evidence-rows.ts'
import { guestContract } from './guest-rows.ts'
import { importContract } from './import-rows.ts'
import { listContract } from './list-rows.ts'
import { logoContract } from './logo-rows.ts'
import { createOpenApiChecker } from './openapi-checker.ts'
import { peopleRows, type Row } from './people-rows.ts'
import { restRoutes } from './routes.ts'
import { uploadContract } from './upload-rows.ts'

const testApp = await startTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' })
afterAll(() => testApp[Symbol.asyncDispose]())
const document = await createOpenApiChecker(testApp.app)

const user = await testApp.make.user({ is_superuser: true, email: 'chefe@exemplo.com.br' })
const boss = await testApp.as(user)
const brand = await testApp.make.brand()
const company = await testApp.make.company()
const order = await testApp.make.order({ brand_id: brand.id, company_id: company.id })
const ended = await testApp.make.order({ brand_id: brand.id, company_id: company.id })
const sealed = await testApp.make.converted()
const { manifest_sha256 } = await testApp.make.dossier(sealed.order_id)

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const login = `grant_type=password&username=CHEFE%40exemplo.com.br&password=${PASSWORD}`
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

const o = order.id

/** One row per call: method, path, body, status and the schema of its response. */
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
  {
    id: 'D-65',
    call: 'POST /brands',
    path: '/brands/',
    body: { display_name: 'Caoa Chery', slug: 'caoa-chery' },
    reply: brandView,
  },
  {
    id: 'D-65',
    call: 'POST /brands/import',
    path: '/brands/import',
    body: {
      dry_run: false,
      file: {
        format: 'garantia-marcas',
        version: 1,
        brands: [{ ...NEW_BRAND_RULES, code: 'gwm', display_name: 'GWM', is_sample: true }],
      },
    },
    reply: brandImportResult,
  },
  { id: 'API-39', call: 'POST /brands/initialize', path: '/brands/initialize', reply: brandsInitialized },
  {
    id: 'API-29',
    call: 'GET /service-orders',
    path: '/service-orders/?search=&status=&brand_id=&skip=0&limit=10',
    reply: orderPage,
  },
  ...listContract((await testApp.make.order({ brand_id: brand.id, company_id: company.id })).id),
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
  ...(await evidenceContract(testApp, order.id)),
  ...(await claimContract(testApp)),
  ...(await deadlineContract(testApp)),
  ...(await claimMoneyContract(testApp)),
  ...(await importContract(testApp, company.id)),
  ...(await logoContract(company.id)),
  ...(await archiveContract(testApp, user.id)),
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
    body: { name: 'ERP', expires_in_days: 30, scope: 'read' },
    reply: newApiToken,
  },
  {
    id: 'INST-5',
    call: 'DELETE /tokens/{id}',
    path: `/tokens/${(await testApp.make.apiToken({ user_id: user.id })).id}`,
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
  { id: 'beyond 1.3', call: 'GET /dossier-keys', path: '/dossier-keys', reply: dossierKeyList },
  {
    id: 'beyond 1.3',
    call: 'GET /dossier-confirmations/{id}',
    path: `/dossier-confirmations/${manifest_sha256}`,
    reply: confirmedDossier,
  },
  ...(await peopleRows(testApp)),
  ...(await uploadContract(boss, order.id)),
  ...(await guestContract(testApp)),
]

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
  const routes = restRoutes(testApp.app).map(({ method, path }) => `${method} ${path}`)
  expect(routes.length).toBeGreaterThanOrEqual(44)
  expect([...new Set(ROWS.map(({ call }) => call))].sort()).toEqual(routes.sort())
})
