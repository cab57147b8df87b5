import { once } from 'node:events'
import { exportOrders, listOrders } from '@garantia/server/features/orders/list'
import type { Ctx } from '@garantia/server/kernel'
import { orderExport } from '@garantia/shared/orders/bulk'
import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { ExportedOrder } from '../../server/src/features/orders/list/export-rows.ts'
import { type Caller, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const brand = await testApp.make.brand({ display_name: 'Fiat' })
const company = await testApp.make.company({ trading_name: 'Auto Café; Ltda "Matriz"' })
const base = { brand_id: brand.id, company_id: company.id }
const manager = await testApp.as(await testApp.make.user({ role: 'manager', company_id: company.id }))
const technician = await testApp.as(await testApp.make.user({ company_id: company.id }))
const otherCompanyManager = await testApp.as(await testApp.make.user({ role: 'manager' }))

const first = await testApp.make.order({
  ...base,
  os_number: '000007',
  status: 'completed',
  opened_at: new Date('2026-01-31T23:30:00-03:00'),
  completed_at: new Date('2026-02-03T10:00:00-03:00'),
  customer_name: '=HYPERLINK("http://mal.example")',
  customer_document: '02998224725',
  customer_phone: '11987654321',
  vehicle_plate: 'ABC1234',
  vehicle_model: '+1;2',
  service_value: 1234.35,
  parts_value: 0.1,
})
const second = await testApp.make.order({
  ...base,
  os_number: '000008',
  opened_at: new Date('2026-01-01T12:00:00-03:00'),
  customer_document: '12ABC34501DE35',
  customer_name: 'Conceição & Filhos',
  vehicle_model: '＝1+1',
  service_value: 999_999_999.99,
})
await testApp.make.order({ ...base, customer_name: 'Apagada', deleted_at: new Date() })

async function sheet({ ctx }: Caller, wanted: object) {
  const { body, filename } = await exportOrders(ctx, orderExport.parse(wanted), {
    ip: '203.0.113.7',
    user_agent: null,
  })
  const bytes = Buffer.concat(await body.toArray())
  return { bytes, filename, text: bytes.toString() }
}
const rowsOf = (text: string) => {
  const [heads = [], ...rows] = parseCsv(text, { delimiter: ';' }) as string[][]
  return rows.map((row) =>
    Object.fromEntries(heads.map((head, index) => [head.replace('\ufeff', ''), row[index]])),
  )
}

describe('a CSV that a Brazilian Excel opens correctly', () => {
  test('UTF-8 with BOM, semicolons, decimal commas, local dates, no formulas', async () => {
    const { text, bytes, filename } = await sheet(manager, { format: 'csv' })
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(filename).toMatch(/^ordens-de-servico-\d{8}\.csv$/)
    expect(text.split('\r\n')[0]).toContain('OS;Status;Conversão;Marca;Empresa')
    const rows = rowsOf(text)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({
      OS: '000007',
      Status: 'Concluída',
      Empresa: 'Auto Café; Ltda "Matriz"',
      Cliente: `'=HYPERLINK("http://mal.example")`,
      'CPF/CNPJ': '029.982.247-25',
      Telefone: '(11) 98765-4321',
      Modelo: "'+1;2",
      Placa: 'ABC-1234',
      Abertura: '31/01/2026 23:30',
      Conclusão: '03/02/2026 10:00',
      'Dias em aberto': '3',
      'Valor total': '1234,45',
    })
    expect(rows[1]).toMatchObject({
      OS: '000008',
      'CPF/CNPJ': '12.ABC.345/01DE-35',
      Modelo: "'＝1+1",
      Conclusão: '',
      'Valor das peças': '',
      'Valor total': '999999999,99',
    })
  })

  test('sorted as the list, filtered as the list or by selected orders (API-29)', async () => {
    const numbers = async (wanted: object) =>
      rowsOf((await sheet(manager, { format: 'csv', ...wanted })).text).map(({ OS }) => OS)
    expect(await numbers({ sort: 'total_value', direction: 'desc' })).toEqual(['000008', '000007'])
    expect(await numbers({ sort: 'os_number' })).toEqual(['000007', '000008'])
    expect(await numbers({ search: 'conceicao' })).toEqual(['000008'])
    expect(await numbers({ status: 'completed' })).toEqual(['000007'])
    expect(await numbers({ ids: `${second.id}` })).toEqual(['000008'])
    expect(await numbers({ status: 'ready' })).toEqual([])
  })
})

test('the newest claim of an order stands beside its status, with what is due next', async () => {
  const order = await testApp.make.order(base)
  await testApp.make.claim({ order, state: 'withdrawn' })
  const { id } = await testApp.make.claim({ order, n: 2, state: 'sent' })
  const { db } = testApp.kernel.ctx
  await sql`update claims set due_kind = 'answer', due_on = '2026-12-24' where id = ${id}`.execute(db)
  const { text } = await sheet(manager, { format: 'csv', ids: `${order.id}` })
  expect(rowsOf(text)).toMatchObject([{ Garantia: 'Enviada', 'Próxima data': '24/12/2026' }])
  const listed = (await listOrders(manager.ctx, { search: order.os_number })).items.find(
    (one) => one.id === order.id,
  )
  expect(listed?.claim).toEqual({ id, n: 2, state: 'sent', due_on: '2026-12-24', due_kind: 'answer' })
})

test('the conversion says what the files wait for, as the list does (STA-8)', async () => {
  const { id } = await testApp.make.order({ ...base, status: 'pending_upload', deleted_at: null })
  await testApp.make.converted({ order_id: id })
  await testApp.make.evidence({ order_id: id })
  const { text } = await sheet(manager, { format: 'csv', ids: `${id}` })
  expect(rowsOf(text)).toMatchObject([{ Status: 'Aguardando Upload', Conversão: 'Falta converter 1/2' }])
})

test('an XLSX has texts, numbers and dates as typed cells', async () => {
  const { bytes } = await sheet(manager, { format: 'xlsx', ids: `${first.id}` })
  const book = await readXlsx(bytes)
  expect(book.sheets[0]?.name).toBe('Ordens de serviço')
  const [heads = [], row = []] = book.sheets[0]?.rows ?? []
  const cell = Object.fromEntries(heads.map((head, index) => [head, row[index]]))
  expect(cell).toMatchObject({
    OS: '000007',
    'CPF/CNPJ': '029.982.247-25',
    Cliente: '=HYPERLINK("http://mal.example")',
    Abertura: new Date('2026-01-31T23:30:00Z'),
    'Valor do serviço': 1234.35,
    'Valor total': 1234.45,
    'Dias em aberto': 3,
  })
})

test('a column that names a field the query does not select is refused when it is compiled', () => {
  const columns = {
    // @ts-expect-error `npm run check` fails when this line is no error any more
    refused: (order: ExportedOrder) => order.vehicle_color,
    taken: (order: ExportedOrder): string | null => order.vehicle_model,
  }
  expect(Object.keys(columns)).toEqual(['refused', 'taken'])
})

test('no column of the sheet stays empty when the order has everything', async () => {
  const whole = await testApp.make.order({
    ...base,
    status: 'completed',
    completed_at: new Date(),
    customer_name: 'Ana Lima',
    customer_document: '52998224725',
    customer_phone: '11987654321',
    vehicle_model: 'Argo',
    vehicle_year: 2024,
    vehicle_plate: 'ABC1D23',
    vehicle_chassis: '9BD195A4ZB0000001',
    vehicle_mileage: 15_000,
    technician_name: 'Bia Souza',
    responsible_user_id: (await testApp.make.user({ company_id: base.company_id })).id,
    service_value: 10,
    parts_value: 5,
  })
  const { id } = await testApp.make.claim({ order: whole, state: 'sent' })
  const { db } = testApp.kernel.ctx
  await sql`update claims set due_kind = 'answer', due_on = '2026-12-24' where id = ${id}`.execute(db)
  const rows = rowsOf((await sheet(manager, { format: 'csv', ids: `${whole.id}` })).text)
  expect(rows).toHaveLength(1)
  const empty = Object.entries(rows[0] ?? {}).filter(([, cell]) => !cell)
  expect(empty).toEqual([])
})

describe('permissions of an export', () => {
  test('a technician gets documents and phones masked to their last digits', async () => {
    const [row] = rowsOf((await sheet(technician, { format: 'csv', ids: `${first.id}` })).text)
    expect(row).toMatchObject({ 'CPF/CNPJ': '•••••••4725', Telefone: '•••••••4321' })
  })

  test('nobody gets orders of another company, neither by filter nor by id (D-39)', async () => {
    for (const wanted of [{}, { ids: `${first.id},${second.id}` }, { company_id: company.id }])
      expect(rowsOf((await sheet(otherCompanyManager, { format: 'csv', ...wanted })).text)).toEqual([])
  })

  test('every export is recorded: who, what, from where', async () => {
    await sheet(manager, { format: 'csv', search: 'conceicao' })
    const event = await testApp.kernel.ctx.db
      .selectFrom('events')
      .where('kind', '=', 'orders.exported')
      .orderBy('id', 'desc')
      .select(['actor_user_id', 'changes', 'ip'])
      .executeTakeFirstOrThrow()
    expect(event).toEqual({
      actor_user_id: (manager.ctx.actor as { id: number }).id,
      changes: { format: 'csv', search: 'conceicao' },
      ip: '203.0.113.7',
    })
  })
})

test('over REST it is a named download; an invalid request is 422', async () => {
  const answer = await manager.api('GET', '/service-orders/export?format=xlsx&status=&sort=os_number')
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="?ordens-de-servico-\d{8}\.xlsx/,
  )
  expect(answer.headers['content-type']).toContain('spreadsheetml')
  for (const query of ['', 'format=pdf', 'format=csv&ids=1,x', 'format=csv&sort=nada'])
    expect((await manager.api('GET', `/service-orders/export?${query}`)).statusCode).toBe(422)
})

describe('a long export', () => {
  test('has sums exact to the cent, and each order once', async () => {
    const many = await testApp.make.company()
    await testApp.kernel.ctx.db
      .insertInto('service_orders')
      .values(
        Array.from({ length: 2_301 }, (_, n) => ({
          os_number: String(n).padStart(6, '0'),
          brand_id: brand.id,
          company_id: many.id,
          service_value: 0.1,
          parts_value: n % 2 === 0 ? 1234.35 : 0.2,
        })),
      )
      .execute()
    const own = await testApp.as(await testApp.make.user({ role: 'manager', company_id: many.id }))
    const rows = rowsOf((await sheet(own, { format: 'csv', sort: 'os_number' })).text)
    expect(rows.map(({ OS }) => Number(OS))).toEqual(Array.from({ length: 2_301 }, (_, n) => n))
    const cents = rows.reduce((sum, row) => sum + Number(`${row['Valor total']}`.replace(',', '')), 0)
    expect(cents).toBe(2_301 * 10 + 1_151 * 123_435 + 1_150 * 20)
  })

  test('that is aborted halfway releases its connection', async () => {
    for (let n = 0; n < 10; n++) {
      const { body } = await exportOrders(
        { ...manager.ctx, actor: { kind: 'system' } },
        { format: n % 2 === 0 ? 'csv' : 'xlsx' },
        { ip: null, user_agent: null },
      )
      body.once('data', () => undefined)
      await new Promise((resolve) => body.once('readable', resolve))
      const closed = once(body, 'close')
      body.destroy()
      await closed
    }
    // The pool has six connections: a seventh caller would wait for ever.
    expect((await sheet(manager, { format: 'csv' })).text).toContain('000007')
  })

  test('is one of two of a person and of six of all: neither a person nor slow clients block the others', async () => {
    const begin = ({ ctx }: { ctx: Ctx }) =>
      exportOrders(ctx, { format: 'csv' }, { ip: null, user_agent: null })
    const begun = [await begin(manager), await begin(manager)]
    await expect(begin(manager)).rejects.toMatchObject({ code: 'too_many' })
    const others = await Promise.all(
      [1, 2].map(async () => testApp.as(await testApp.make.user({ role: 'admin' }))),
    )
    for (const other of [...others, ...others]) begun.push(await begin(other))
    await expect(begin(await testApp.as(await testApp.make.user({ role: 'admin' })))).rejects.toMatchObject({
      code: 'too_many',
    })
    for (const { body } of begun) {
      const closed = once(body, 'close')
      body.destroy()
      await closed
    }
    expect((await sheet(manager, { format: 'csv' })).text).toContain('000007')
  })
})
