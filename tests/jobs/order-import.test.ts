import { setTimeout as wait } from 'node:timers/promises'
import {
  failImport,
  failStrandedImports,
  forgetOldImports,
  importOrders,
} from '@garantia/server/features/orders/import'
import { verifyChains } from '@garantia/server/features/records/chain'
import type { ImportReport, ImportRun, ImportView } from '@garantia/shared/orders/import'
import type { ImportMapping } from '@garantia/shared/orders/import-line'
import { startWorker } from '@garantia/worker'
import { writeXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { count } from '../support/exhaustive.ts'
import { multipart, startTestApp } from '../support/test-app.ts'
import { waitsForLock } from '../support/waits-for-lock.ts'

const testApp = await startTestApp()
const { ctx } = testApp.kernel
let worker: Awaited<ReturnType<typeof startWorker>>
beforeAll(async () => {
  worker = await startWorker(testApp.kernel)
})
afterAll(async () => {
  await worker.stop()
  await testApp[Symbol.asyncDispose]()
})

const company = await testApp.make.company({ trading_name: 'Auto Sul' })
const brand = await testApp.make.brand({ slug: 'kia', display_name: 'Kia' })
const user = await testApp.make.user({ role: 'manager', full_name: 'Gil Gestor', company_id: company.id })
const boss = await testApp.as(user)

async function call<Answer>(procedure: string, input: object): Promise<Answer> {
  const { status, data, error } = await callProcedure(testApp, boss.token, `orderImports.${procedure}`, input)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(error?.data.detail)}`)
  return data as Answer
}
async function ended(id: number): Promise<ImportView> {
  for (;;) {
    const seen = await call<ImportView>('one', { id })
    if (seen.status !== 'reading' && seen.status !== 'running') return seen
    await wait(50)
  }
}
async function send(content: Buffer | string, filename = 'os.csv') {
  const { body, headers } = multipart([{ name: 'file', filename, content }])
  const answer = await boss.api('POST', `/service-orders/imports?company_id=${company.id}`, body, headers)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return ended(answer.json().id)
}
const check = (id: number, mapping: ImportMapping, brand_id: number | null = null) =>
  call<ImportReport>('check', { id, mapping, brand_id })
/** By the columns that the import has kept, as the screen does. */
const run = async (id: number, mode: ImportRun['mode'] = 'valid', given: Partial<ImportRun> = {}) => {
  const { mapping, brand_id } = await call<ImportView>('one', { id })
  await call('run', { id, mapping, brand_id, mode, ...given })
  return ended(id)
}
const jobsOf = async (id: number) => {
  const { rows } = await sql`select from graphile_worker.jobs where key = ${`order-import:${id}`}`.execute(
    ctx.db,
  )
  return rows.length
}
const ordersOf = () =>
  ctx.db.selectFrom('service_orders').where('company_id', '=', company.id).selectAll().orderBy('id').execute()

const CSV = [
  'Nº O.S.;Montadora;Data abertura;Cliente;CPF/CNPJ;Telefone;Chassi;KM;Valor peças',
  '100001;KIA;31/01/2026;José da Silva;529.982.247-25;(11) 98765-4321;9BWZZZ377VT004251;45.210;"1.234,56"',
  '100002;Kia;01/02/2026;Maria;111.111.111-11;;;;10,00',
  '',
  '100003;Lada;;Ana;;;;;',
  '100004;kia;;Beto;;;;;0,5',
].join('\r\n')

test('a CSV is read, checked line by line, imported, and changes nothing the second time (D-66)', async () => {
  const read = await send(Buffer.from(CSV, 'latin1'), 'maio.csv')
  expect(read).toMatchObject({ status: 'read', filename: 'maio.csv', lines: 4, company: 'Auto Sul' })
  expect(read.headings[0]).toBe('Nº O.S.')
  expect(read.sample[0]?.[3]).toBe('José da Silva')
  expect(read.mapping).toEqual({
    os_number: 0,
    brand_id: 1,
    opened_at: 2,
    customer_name: 3,
    customer_document: 4,
    customer_phone: 5,
    vehicle_chassis: 6,
    vehicle_mileage: 7,
    parts_value: 8,
  })

  const report = await check(read.id, read.mapping)
  expect(report).toMatchObject({ lines: 4, valid: 2, existing: 0, refused: 2 })
  expect(report.problems.map(({ line, field, message }) => [line, field, message])).toEqual([
    [3, 'customer_document', 'CPF/CNPJ inválido'],
    [5, 'brand_id', 'Marca desconhecida, desativada ou não atendida pela empresa'],
  ])
  expect(await ordersOf()).toEqual([])
  await expect(run(read.id, 'all')).rejects.toThrow('409 "Nada foi importado: 2 linhas têm problemas."')
  expect(await ordersOf()).toEqual([])

  const csv = (await boss.api('GET', `/service-orders/imports/${read.id}/report`)).body
  expect(csv.split('\r\n').slice(0, 3)).toEqual([
    '\ufeffLinha;OS;Campo;Valor;Problema',
    '3;100002;CPF ou CNPJ;111.111.111-11;CPF/CNPJ inválido',
    '5;100003;Marca;Lada;Marca desconhecida, desativada ou não atendida pela empresa',
  ])

  expect(await run(read.id)).toMatchObject({
    status: 'done',
    created: 2,
    existing: 0,
    refused: 2,
    progress: 4,
  })
  const orders = await ordersOf()
  expect(orders).toMatchObject([
    {
      os_number: '100001',
      brand_id: brand.id,
      status: 'created',
      customer_name: 'José da Silva',
      customer_document: '52998224725',
      customer_phone: '11987654321',
      vehicle_chassis: '9BWZZZ377VT004251',
      vehicle_mileage: 45210,
      parts_value: 1234.56,
      opened_at: new Date('2026-01-31T03:00:00Z'),
      created_by: user.id,
    },
    { os_number: '100004', parts_value: 0.5 },
  ])
  const events = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where(
      'subject_id',
      'in',
      orders.map(({ id }) => id),
    )
    .select(['kind', 'actor_name', 'changes'])
    .orderBy('subject_id')
    .execute()
  expect(events).toMatchObject([
    {
      kind: 'opened',
      actor_name: 'Gil Gestor',
      changes: { os_number: '100001', imported_from: 'maio.csv', import_line: 2 },
    },
    {
      kind: 'opened',
      actor_name: 'Gil Gestor',
      changes: { os_number: '100004', imported_from: 'maio.csv', import_line: 6 },
    },
  ])
  expect(
    await ctx.db
      .selectFrom('events')
      .where('kind', '=', 'orders.imported')
      .select(['subject_id', 'changes'])
      .execute(),
  ).toMatchObject([
    {
      subject_id: user.id,
      changes: { filename: 'maio.csv', company_id: company.id, created: 2, refused: 2 },
    },
  ])

  const again = await send(Buffer.from(CSV, 'latin1'), 'outro-nome.csv')
  expect(again).toMatchObject({ id: read.id, status: 'done', created: 2, finished_by: 'Gil Gestor' })
  expect(await check(read.id, read.mapping)).toMatchObject({ valid: 2, existing: 2 })
  expect(await run(read.id)).toMatchObject({ status: 'done', created: 0, existing: 2, refused: 2 })
  expect(await ordersOf()).toEqual(orders)
})

test('a workbook is read in a process of its own, and its columns are remembered (D-66)', async () => {
  const rows = [
    ['Ordem', 'Aberta em', 'Peças (R$)', 'Observação'],
    [200001, new Date(Date.UTC(2026, 2, 5)), 1234.5, 'a'],
    ['200002', null, null, null],
  ]
  const workbook = (note: string) =>
    writeXlsx({ sheets: [{ name: 'OS', rows: [...rows, ['200003', null, null, note]] }] }).then(Buffer.from)
  const read = await send(await workbook('x'), 'os.xlsx')
  expect(read).toMatchObject({ status: 'read', lines: 3, error: null })
  expect(read.sample[0]?.slice(0, 3)).toEqual(['200001', '05/03/2026', '1234,5'])
  const mapping = { os_number: 0, opened_at: 1, parts_value: 2 }
  await expect(check(read.id, mapping, 999_999)).rejects.toThrow('422')
  expect(await check(read.id, mapping, brand.id)).toMatchObject({ valid: 3, refused: 0 })
  expect(await run(read.id, 'all')).toMatchObject({ status: 'done', created: 3 })

  const next = await send(await workbook('y'), 'os2.xlsx')
  expect(next.id).not.toBe(read.id)
  expect(next).toMatchObject({ mapping, brand_id: brand.id })
})

test('an import goes by the columns that its person has checked, whatever somebody else chooses meanwhile', async () => {
  const { id } = await send('OS;Cliente;Modelo\n210001;Maria;Civic\n')
  const checked = { os_number: 0, customer_name: 1, vehicle_model: 2 }
  await check(id, checked, brand.id)
  await check(id, { os_number: 0, customer_name: 2, vehicle_model: 1 }, brand.id)
  expect(await run(id, 'valid', { mapping: checked, brand_id: brand.id })).toMatchObject({ created: 1 })
  const opened = (await ordersOf()).at(-1)
  expect(opened).toMatchObject({ customer_name: 'Maria', vehicle_model: 'Civic' })
  // A deleted order frees its number.
  expect(await check(id, checked, brand.id)).toMatchObject({ valid: 1, existing: 1 })
  await boss.api('DELETE', `/service-orders/${opened?.id}`)
  expect(await check(id, checked, brand.id)).toMatchObject({ valid: 1, existing: 0 })
})

test('«nothing while there are problems» holds for what has changed since it was asked for', async () => {
  const { id } = await send('OS;Marca\n220001;kia\n220002;outra\n')
  const before = await ordersOf()
  await check(id, { os_number: 0, brand_id: 1 }, brand.id)
  // As when the job meets a brand that was switched off after the request.
  const asked = { status: 'running', mode: 'all', user_id: user.id }
  await ctx.db.updateTable('order_imports').set(asked).where('id', '=', id).execute()
  await importOrders(ctx, id, new AbortController().signal)
  expect(await call<ImportView>('one', { id })).toMatchObject({
    status: 'failed',
    error: 'Nada foi importado: 1 linha tem problemas.',
    created: 0,
  })
  expect(await ordersOf()).toEqual(before)
})

test('an import of more lines than one transaction takes opens each once', async () => {
  const lines = Array.from({ length: 501 }, (_, n) => `${310_001 + n};kia`)
  const { id } = await send(['OS;Marca', ...lines].join('\n'))
  expect(await run(id, 'all')).toMatchObject({ status: 'done', created: 501, existing: 0, progress: 501 })
})

test('an import goes on only while its person may import', async () => {
  const { id } = await send('OS;Marca\n320001;kia\n')
  const before = await ordersOf()
  const { mapping } = await call<ImportView>('one', { id })
  for (const fields of [{}, { role: 'manager' as const, is_active: false }]) {
    const { id: user_id } = await testApp.make.user({ company_id: company.id, ...fields })
    const asked = { status: 'running', mode: 'valid', mapping: JSON.stringify(mapping), user_id }
    await ctx.db.updateTable('order_imports').set(asked).where('id', '=', id).execute()
    await importOrders(ctx, id, new AbortController().signal)
    expect(await call<ImportView>('one', { id })).toMatchObject({
      status: 'failed',
      error: 'Quem pediu a importação não tem mais acesso.',
    })
    expect(await ordersOf()).toEqual(before)
  }
})

test('of two requests for one import at once the second is refused', async () => {
  const { id, mapping } = await send('OS;Marca\n330001;kia\n')
  let second: Promise<unknown> = Promise.resolve()
  await ctx.db.transaction().execute(async (db) => {
    await db.updateTable('order_imports').set({ status: 'running' }).where('id', '=', id).execute()
    second = call('run', { id, mapping, brand_id: null, mode: 'valid' })
    second.catch(() => undefined)
    await expect.poll(() => waitsForLock(ctx.db)).toBe(true)
  })
  await expect(second).rejects.toThrow('409 "O arquivo ainda está sendo lido ou importado."')
})

test('a brand that the company does not serve is refused, and a failure does not end what has ended', async () => {
  const other = await testApp.make.brand({ slug: 'gwm', display_name: 'GWM', is_active: false })
  const { id } = await send('OS\n230001\n')
  await expect(check(id, { os_number: 0 }, other.id)).rejects.toThrow('não atende a marca escolhida')
  await failImport(ctx, id, 'tarde demais')
  expect(await call<ImportView>('one', { id })).toMatchObject({ status: 'read', error: null })
})

test('what the screen asks for again and again is short, however long the cells are', async () => {
  const long = `${'x'.repeat(99)}😀${'y'.repeat(900)}`
  const read = await send(`OS;${long}\n${`1;${long}\n`.repeat(5)}`)
  expect(read.headings[1]).toHaveLength(200)
  expect(read.sample).toEqual(Array.from({ length: 3 }, () => ['1', 'x'.repeat(99)]))
  const report = await check(read.id, { os_number: 0, vehicle_model: 1 }, brand.id)
  expect(report.problems[0]?.value).toHaveLength(200)
})

test('no cell of the report of problems is a formula', async () => {
  const read = await send('OS;Marca\n100009;＝1+1\n100010;=1+1\n')
  await check(read.id, { os_number: 0, brand_id: 1 })
  const csv = (await boss.api('GET', `/service-orders/imports/${read.id}/report`)).body
  expect(csv).toContain(";Marca;'＝1+1;")
  expect(csv).toContain(";Marca;'=1+1;")
})

test('a CSV as large as may be is read', { tags: ['exhaustive'] }, async () => {
  const lines = Array.from({ length: 9_900 }, (_, n) => `${240_000 + n};${'não liga a frio '.repeat(57)}`)
  const read = await send(['OS;Reclamação', ...lines].join('\n'))
  expect(read).toMatchObject({ status: 'read', lines: 9_900, error: null })
})

const shared = 'x'.repeat(9_000)
const wide = (rows: string[][]) => writeXlsx({ sheets: [{ name: 'OS', rows }] }).then(Buffer.from)
test.each([
  [
    'text that many cells share',
    () => wide([['OS'], ...Array.from({ length: 2_500 }, () => ['1', shared])]),
    'A planilha ocupa mais de 20 MB ao ser aberta. Exporte-a como CSV ou divida-a.',
  ],
  ['half a character', () => wide([['OS'], ['_xD83D_']]), 'Uma célula tem caracteres inválidos.'],
])('%s is refused with the reason', async (_, content, error) => {
  expect(await send(await content(), 'os.xlsx')).toMatchObject({ status: 'failed', error })
})

test.each([
  ['nothing but headings', 'OS;Cliente\n', 'O arquivo não tem linhas abaixo dos títulos.'],
  [
    'a damaged workbook',
    Buffer.from('PK\x03\x04nada'),
    'O arquivo não é uma planilha XLSX nem um CSV, ou está danificado. Exporte-o de novo.',
  ],
  [
    'a picture',
    Buffer.from([0xff, 0xd8, 0, 0, 1]),
    'O arquivo não é uma planilha XLSX nem um CSV, ou está danificado. Exporte-o de novo.',
  ],
  ['too many columns', `OS\n${'1;'.repeat(300_000)}2\n`, 'No máximo 200 colunas.'],
  [
    'nothing but lines',
    `OS\n${'1\n'.repeat(count({ exhaustive: 4_900_000, default: 490_000 }))}`,
    'No máximo 10.000 linhas por arquivo: divida-o.',
  ],
  ['too many lines', `OS\n${'1\n'.repeat(10_001)}`, 'No máximo 10.000 linhas por arquivo: divida-o.'],
])('%s is refused with the reason', async (_, content, error) => {
  expect(await send(content)).toMatchObject({ status: 'failed', error })
})

test('what was imported is on the trail, and a value that changes afterwards is named', async () => {
  const own = async () => (await verifyChains(ctx)).faults
  expect(await own()).toEqual([])
  const [imported] = await ordersOf()
  await ctx.db
    .updateTable('service_orders')
    .set({ parts_value: 1, vehicle_mileage: null })
    .where('id', '=', imported?.id ?? 0)
    .execute()
  const problems = (await own()).map(({ order_id, problem }) => [order_id, problem])
  expect(problems.sort()).toEqual([
    [imported?.id, expect.stringContaining('«Quilometragem» de 45210 para vazio')],
    [imported?.id, expect.stringContaining('«Valor das peças»')],
  ])
})

test('an import whose job is lost fails visibly, and customers’ data go after a week', async () => {
  const { id } = await send('OS\n300001\n')
  const old = new Date(Date.now() - 8 * 86_400_000)
  await ctx.db.updateTable('order_imports').set({ updated_at: old }).where('id', '=', id).execute()
  await forgetOldImports(ctx)
  expect(await call<ImportView>('one', { id })).toMatchObject({ has_content: false, lines: 1 })
  await expect(check(id, { os_number: 0 }, brand.id)).rejects.toThrow('Envie-o de novo')
  expect(await send('OS\n300001\n')).toMatchObject({ id, has_content: true, status: 'read' })
  // The rows are kept before the job that read them ends.
  await expect.poll(() => jobsOf(id)).toBe(0)

  await ctx.db
    .updateTable('order_imports')
    .set({ status: 'running', updated_at: old })
    .where('id', '=', id)
    .execute()
  await failStrandedImports(ctx)
  expect(await call<ImportView>('one', { id })).toMatchObject({
    status: 'failed',
    error: 'A importação foi interrompida várias vezes. Envie o arquivo de novo.',
  })
})
