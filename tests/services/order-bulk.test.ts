import { convertMany } from '@garantia/server/features/evidence/conversion'
import { removeMany, resumeMany, setStatusOfMany } from '@garantia/server/features/orders/list'
import { BULK_MAX } from '@garantia/shared/orders/bulk-limit'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const brand = await testApp.make.brand()
const company = await testApp.make.company()
const base = { brand_id: brand.id, company_id: company.id }
const manager = await testApp.as(await testApp.make.user({ role: 'manager', company_id: company.id }))
const technician = await testApp.as(await testApp.make.user({ company_id: company.id }))
const statusOf = async (id: number) =>
  (
    await testApp.kernel.ctx.db
      .selectFrom('service_orders')
      .where('id', '=', id)
      .select('status')
      .executeTakeFirstOrThrow()
  ).status

test('each order is moved by its own rules; a refused one has its reason and stops no other (LIST-11, STA-13)', async () => {
  const [free, closed, foreign, onHold] = [
    await testApp.make.order(base),
    await testApp.make.order({ ...base, status: 'completed' }),
    await testApp.make.order(),
    await testApp.make.order({ ...base, status: 'in_analysis' }),
  ]
  const ids = [free.id, closed.id, foreign.id, 999_999, onHold.id, free.id]
  const result = await setStatusOfMany(manager.ctx, { ids, status: 'pending', reason: 'Falta peça' })
  expect(result.done).toEqual([
    { id: free.id, os_number: free.os_number },
    { id: onHold.id, os_number: onHold.os_number },
  ])
  expect(result.refused.map(({ id, os_number }) => [id, os_number])).toEqual([
    [closed.id, closed.os_number],
    [foreign.id, null],
    [999_999, null],
  ])
  expect(result.refused.slice(1).map(({ detail }) => detail)).toEqual([
    'Ordem de serviço não encontrada',
    'Ordem de serviço não encontrada',
  ])
  expect(result.refused[0]?.detail).toMatch(/Concluída|concluída/)
  expect([await statusOf(free.id), await statusOf(closed.id), await statusOf(foreign.id)]).toEqual([
    'pending',
    'completed',
    'created',
  ])
})

test('conversion of many reports the orders that had nothing to convert', async () => {
  const [full, empty] = [await testApp.make.order(base), await testApp.make.order(base)]
  await testApp.make.evidence({ order_id: full.id })
  expect(await convertMany(manager.ctx, [full.id, empty.id])).toEqual({
    done: [{ id: full.id, os_number: full.os_number }],
    refused: [{ id: empty.id, os_number: empty.os_number, detail: 'Nenhum arquivo para converter' }],
  })
  expect(await statusOf(full.id)).toBe('in_progress')
})

test('orders on hold resume, each in the status its files imply; others report why not', async () => {
  const [onHold, analysed, free] = [
    await testApp.make.order({ ...base, status: 'pending' }),
    await testApp.make.order({ ...base, status: 'in_analysis' }),
    await testApp.make.order(base),
  ]
  const foreign = await testApp.make.order()
  await testApp.make.evidence({ order_id: analysed.id })
  const result = await resumeMany(manager.ctx, [onHold.id, analysed.id, free.id, foreign.id])
  expect(result.done.map(({ id }) => id)).toEqual([onHold.id, analysed.id])
  expect(result.refused.map(({ id, detail }) => [id, detail])).toEqual([
    [free.id, 'Só uma OS pendente ou em análise pode ser retomada'],
    [foreign.id, 'Ordem de serviço não encontrada'],
  ])
  expect([await statusOf(onHold.id), await statusOf(analysed.id)]).toEqual(['created', 'pending_upload'])
  const answer = await manager.api('POST', '/service-orders/bulk', { action: 'resume', ids: [free.id] })
  expect(answer.json().refused).toHaveLength(1)
})

test('a technician deletes none, a manager all but completed ones (D-38)', async () => {
  const [open, done] = [
    await testApp.make.order(base),
    await testApp.make.order({ ...base, status: 'completed' }),
  ]
  const refused = await removeMany(technician.ctx, [open.id])
  expect(refused).toMatchObject({
    done: [],
    refused: [{ id: open.id, detail: 'Você não tem permissão para esta ação.' }],
  })
  const removed = await removeMany(manager.ctx, [open.id, done.id])
  expect(removed.done).toEqual([{ id: open.id, os_number: open.os_number }])
  expect(removed.refused).toHaveLength(1)
})

test('one REST call covers the three; an invalid combination is 422', async () => {
  const order = await testApp.make.order(base)
  const call = (body: object) => manager.api('POST', '/service-orders/bulk', body)
  expect((await call({ action: 'status', status: 'pending', ids: [order.id] })).json().done).toHaveLength(1)
  expect((await call({ action: 'convert', ids: [order.id] })).json().refused).toHaveLength(1)
  expect((await call({ action: 'delete', ids: [order.id] })).json().done).toHaveLength(1)
  for (const body of [
    { action: 'status', ids: [order.id] },
    { action: 'burn', ids: [order.id] },
    { action: 'delete', ids: [] },
    { action: 'delete', ids: Array.from({ length: BULK_MAX + 1 }, (_, n) => n + 1) },
    { action: 'delete' },
  ])
    expect((await call(body)).statusCode, JSON.stringify(body).slice(0, 60)).toBe(422)
})
