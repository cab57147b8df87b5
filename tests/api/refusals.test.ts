import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const order = await testApp.make.order()
const waiting = await testApp.make.evidence({ order_id: order.id })
const JSON_TYPE = { 'content-type': 'application/json' }

describe('a path id that is not a plain positive number is 422 (D-01)', () => {
  const bad = [
    '0',
    '-1',
    '01',
    '1e3',
    '1.5',
    'abc',
    '%00',
    '%20',
    '9999999999999999',
    '9'.repeat(600),
    '1;drop',
  ]
  test.each(bad)('%s', async (id) => {
    for (const path of [
      `/brands/${id}`,
      `/service-orders/${id}`,
      `/evidence/${id}/evidence`,
      `/evidence/${id}/download`,
      `/evidence-conversion/${id}/status`,
    ]) {
      const answer = await boss.api('GET', path)
      expect([path, answer.statusCode]).toEqual([path, 422])
      expect(answer.json().detail[0]).toMatchObject({
        loc: ['path', expect.stringMatching(/id$/)],
        type: 'int_parsing',
      })
    }
  })
})

describe('what does not exist is 404 in Portuguese (D-03)', () => {
  test.each([
    ['GET', '/brands/999', 'Marca não encontrada'],
    ['GET', '/brands/999/companies', 'Marca não encontrada'],
    ['GET', '/brands/999/evidence-rules', 'Marca não encontrada'],
    ['GET', '/service-orders/999', 'Ordem de serviço não encontrada'],
    ['GET', '/evidence/999/evidence', 'Ordem de serviço não encontrada'],
    ['POST', '/evidence/999/upload', 'Ordem de serviço não encontrada'],
    ['GET', '/evidence/999/download-all', 'Ordem de serviço não encontrada'],
    ['GET', '/evidence-conversion/999/conversion-report', 'Ordem de serviço não encontrada'],
    ['POST', '/evidence-conversion/999/convert-all', 'Ordem de serviço não encontrada'],
    ['DELETE', '/evidence/999', 'Evidência não encontrada'],
    ['GET', '/evidence/999/download', 'Evidência não encontrada'],
    ['POST', '/evidence-conversion/999/convert', 'Evidência não encontrada'],
    ['GET', '/evidence-conversion/999/status', 'Evidência não encontrada'],
  ] as const)('%s %s', async (method, path, detail) => {
    const answer = await boss.api(method, path)
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail }])
  })
})

describe('an unknown path', () => {
  test.each(['/nada', '/brands/1/nada', '/evidence'])('%s is 404', async (path) => {
    const answer = await boss.api('GET', path)
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not Found' }])
  })

  test('with an invalid escape is 404 with detail and request id', async () => {
    const answer = await testApp.app.inject({ method: 'GET', url: '/api/v1/brands/%zz' })
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not Found' }])
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    ['PUT', '/brands/1', 'GET, HEAD, PATCH'],
    ['DELETE', '/service-orders', 'GET, HEAD, POST'],
    ['GET', '/login/access-token', 'POST'],
    ['PUT', '/evidence/1', 'GET, HEAD, PATCH, DELETE'],
    ['PATCH', '/evidence/1/rotation', 'PUT'],
    ['POST', '/utils/health-check/', 'GET, HEAD'],
  ] as const)('of another method is 405 with the allowed ones: %s %s', async (method, path, allow) => {
    const answer = await boss.api(method, path)
    expect([answer.statusCode, answer.json()]).toEqual([405, { detail: 'Method Not Allowed' }])
    expect(answer.headers.allow).toBe(allow)
  })
})

describe('an unreadable body', () => {
  test.each(['{bad', '{"a":1,}', "{'a':1}", '{"__proto__":{"x":1}}', '{"constructor":{"prototype":{}}}'])(
    'as JSON is 422 and not echoed: %s',
    async (body) => {
      const answer = await boss.api('POST', '/service-orders', body, JSON_TYPE)
      expect([answer.statusCode, answer.json()]).toEqual([
        422,
        { detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] },
      ])
    },
  )

  test.each(['[]', '"texto"', '7', 'true'])('as an object is 422: %s', async (body) => {
    const answer = await boss.api('POST', '/service-orders', body, JSON_TYPE)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().detail[0]).toMatchObject({ loc: ['body'], type: 'model_attributes_type' })
  })

  test.each(['text/plain', 'application/xml', 'image/png'])('because it is %s is 415', async (type) => {
    const answer = await boss.api('POST', '/service-orders', 'x', { 'content-type': type })
    expect([answer.statusCode, answer.json()]).toEqual([415, { detail: 'Tipo de conteúdo não aceito.' }])
  })

  test('because it is larger than 1 MB is 413', async () => {
    const answer = await boss.api('POST', '/service-orders', `{"a":"${'x'.repeat(1_100_000)}"}`, JSON_TYPE)
    expect([answer.statusCode, answer.json()]).toEqual([
      413,
      { detail: 'O corpo da requisição passa de 1 MB.' },
    ])
  })
})

describe('an invalid field is 422 with its location, message and a type that FastAPI clients know (D-02)', () => {
  const valid = { os_number: '000001', brand_id: order.brand_id, company_id: order.company_id }
  test.each([
    [{}, 'os_number', 'missing', 'Número da OS é obrigatório'],
    [{ ...valid, os_number: '12345' }, 'os_number', 'value_error', 'Número da OS deve ter 6 dígitos'],
    [{ ...valid, os_number: '' }, 'os_number', 'string_too_short', 'Número da OS é obrigatório'],
    [{ ...valid, os_number: 123456 }, 'os_number', 'string_type', 'Número da OS é obrigatório'],
    [{ ...valid, brand_id: 0 }, 'brand_id', 'greater_than', 'Selecione uma marca'],
    [{ ...valid, brand_id: 1.5 }, 'brand_id', 'int_type', 'Selecione uma marca'],
    [{ ...valid, brand_id: 999 }, 'brand_id', 'value_error', 'Selecione uma marca'],
    [{ ...valid, company_id: null }, 'company_id', 'float_type', 'Empresa é obrigatória'],
    [{ ...valid, vehicle_plate: 'ABC-1D23' }, 'vehicle_plate', 'value_error', 'Formato inválido de placa'],
    [
      { ...valid, vehicle_chassis: 'CURTO' },
      'vehicle_chassis',
      'value_error',
      'Chassi deve ter 17 caracteres',
    ],
    [
      { ...valid, vehicle_year: 1899 },
      'vehicle_year',
      'greater_than_equal',
      'O ano deve ser a partir de 1900',
    ],
    [
      { ...valid, vehicle_year: new Date().getFullYear() + 2 },
      'vehicle_year',
      'value_error',
      'O ano não pode passar do próximo ano',
    ],
    [
      { ...valid, vehicle_mileage: -1 },
      'vehicle_mileage',
      'greater_than_equal',
      'A quilometragem não pode ser negativa',
    ],
    [
      { ...valid, service_value: -0.01 },
      'service_value',
      'greater_than_equal',
      'O valor não pode ser negativo',
    ],
    [{ ...valid, parts_value: 1.005 }, 'parts_value', 'value_error', 'Use no máximo duas casas decimais'],
    [{ ...valid, customer_email: 'x@' }, 'customer_email', 'value_error', 'Email inválido'],
    [{ ...valid, customer_phone: '123' }, 'customer_phone', 'value_error', 'Telefone inválido'],
    [
      { ...valid, customer_document: '111.111.111-11' },
      'customer_document',
      'value_error',
      'CPF/CNPJ inválido',
    ],
    [{ ...valid, customer_name: 'a\u0000b' }, 'customer_name', 'value_error', 'Contém caracteres inválidos'],
    [{ ...valid, diagnosis: 'x'.repeat(5_001) }, 'diagnosis', 'string_too_long', 'Máximo de 5000 caracteres'],
  ])('%j', async (body, field, type, msg) => {
    const answer = await boss.api('POST', '/service-orders', body)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().detail).toContainEqual({ loc: ['body', field], msg, type })
  })

  test.each([
    ['skip=-1', 'skip'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=dez', 'limit'],
    ['brand_id=abc', 'brand_id'],
    ['status=ready,nada', 'status'],
    ['search=a&search=b', 'search'],
    ['search=%00', 'search'],
    [`search=${'x'.repeat(201)}`, 'search'],
  ])('in the query: %s', async (query, field) => {
    const answer = await boss.api('GET', `/service-orders?${query}`)
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['query', field]])
  })

  test('in a flag: force=talvez', async () => {
    const answer = await boss.api('POST', `/evidence-conversion/${waiting.id}/convert?force=talvez`)
    expect([answer.statusCode, answer.json().detail[0]]).toMatchObject([
      422,
      { loc: ['query', 'force'], type: 'bool_type' },
    ])
  })

  test('in a sign-in, without ever repeating the password', async () => {
    const secret = 'p'.repeat(500)
    for (const body of [
      { username: 'ab', password: secret },
      { username: 'a\u0000bc', password: secret },
      {},
    ]) {
      const answer = await testApp.anonymous.api('POST', '/login/access-token', body)
      expect(answer.statusCode).toBe(422)
      expect(answer.body).not.toContain('ppp')
    }
  })
})

test('what is not ready yet is a 409 with the reason (D-25, EVI-12)', async () => {
  for (const [path, detail] of [
    [`/evidence/${waiting.id}/download`, 'Este arquivo ainda não foi convertido.'],
    [`/evidence/${order.id}/download-all`, 'Nenhum arquivo convertido para baixar.'],
  ]) {
    const answer = await boss.api('GET', path ?? '')
    expect([answer.statusCode, answer.json()]).toEqual([409, { detail }])
  }
})
