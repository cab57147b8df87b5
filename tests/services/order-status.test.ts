import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failConversion, requestAllConversions } from '@garantia/server/features/evidence/conversion'
import { recompute } from '@garantia/server/features/orders/order'
import { afterAll, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'
import { acquireLease, convertFully } from './conversion-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const boss = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Chefe' }))

const COMPLETE = {
  problem_description: 'Ruído ao frear',
  customer_name: 'Maria',
  customer_phone: '11987654321',
  vehicle_model: 'Modelo X',
}
const statusOf = async (id: number) => {
  const { status, conversion_status } = await db
    .selectFrom('service_orders')
    .where('id', '=', id)
    .select(['status', 'conversion_status'])
    .executeTakeFirstOrThrow()
  return [status, conversion_status]
}
const upload = async (order_id: number) =>
  (await boss.upload(order_id, [{ filename: 'a.jpg', content: await picture() }])).json().uploaded[0]
    .id as number

test('an order follows its files from «Criada» to «Pronta», and each step is recorded (decisions 2, D-07)', async () => {
  const { id } = await testApp.make.order(COMPLETE)
  expect(await statusOf(id)).toEqual(['created', 'not_started'])
  const [first, second] = [await upload(id), await upload(id)]
  expect(await statusOf(id)).toEqual(['pending_upload', 'not_started'])
  await requestAllConversions(boss.ctx, id)
  expect(await statusOf(id)).toEqual(['in_progress', 'in_progress'])
  await convertFully(ctx, first, 500)
  expect(await statusOf(id)).toEqual(['in_progress', 'in_progress'])
  await convertFully(ctx, second, 500)
  expect(await statusOf(id)).toEqual(['ready', 'available'])
  const events = await db
    .selectFrom('events')
    .where('subject_id', '=', id)
    .where('kind', '=', 'status')
    .orderBy('id')
    .select(['actor_name', 'changes'])
    .execute()
  expect(events).toEqual([
    { actor_name: 'Sistema', changes: { status: ['created', 'pending_upload'] } },
    { actor_name: 'Sistema', changes: { status: ['pending_upload', 'in_progress'] } },
    { actor_name: 'Sistema', changes: { status: ['in_progress', 'ready'] } },
  ])
})

test('a failed file returns the order to waiting, and so does a new file (decisions 2)', async () => {
  const { id } = await testApp.make.order(COMPLETE)
  const file = await upload(id)
  await requestAllConversions(ctx, id)
  const { attempt } = await acquireLease(ctx, file)
  await failConversion(ctx, file, attempt, 'Arquivo danificado')
  expect(await statusOf(id)).toEqual(['pending_upload', 'failed'])
  await requestAllConversions(ctx, id)
  await convertFully(ctx, file, 500)
  expect(await statusOf(id)).toEqual(['ready', 'available'])
  const late = await upload(id)
  expect(await statusOf(id)).toEqual(['pending_upload', 'in_progress'])
  await boss.api('DELETE', `/evidence/${late}`)
  expect(await statusOf(id)).toEqual(['ready', 'available'])
  await boss.api('DELETE', `/evidence/${file}`)
  // It waits for files again, and does not become «Criada» a second time.
  expect(await statusOf(id)).toEqual(['pending_upload', 'not_started'])
})

test('an order that lacks data or a required category is converted but not ready (D-23)', async () => {
  const brand = await testApp.make.brand({
    required_categories: JSON.stringify([{ category: 'odometro', min: 1 }]),
  })
  for (const fields of [
    { ...COMPLETE, brand_id: brand.id },
    { ...COMPLETE, customer_phone: null },
  ]) {
    const { id } = await testApp.make.order(fields)
    const file = await upload(id)
    await requestAllConversions(ctx, id)
    await convertFully(ctx, file, 500)
    expect(await statusOf(id)).toEqual(['pending_upload', 'available'])
  }
})

test('a package over the limit of its brand is not offered as available (D-07, D-19)', async () => {
  const brand = await testApp.make.brand({ max_file_size_mb: 1 })
  const { id } = await testApp.make.order({ ...COMPLETE, brand_id: brand.id })
  await testApp.make.converted({ order_id: id }, Buffer.alloc(1_000_001))
  await recompute(ctx, id)
  expect(await statusOf(id)).toEqual(['pending_upload', 'completed'])
})

test('a converted object missing from disk is detected (D-07)', async () => {
  const { id: order_id } = await testApp.make.order(COMPLETE)
  const file = await testApp.make.converted({ order_id })
  await recompute(ctx, order_id)
  expect(await statusOf(order_id)).toEqual(['ready', 'available'])
  await rm(join(testApp.dir, 'files', file.converted_key ?? ''))
  await recompute(ctx, order_id)
  expect(await statusOf(order_id)).toEqual(['ready', 'completed'])
})

test('files do not move an order on hold or closed; its conversion is still shown (decisions 2)', async () => {
  for (const status of ['pending', 'in_analysis'] as const) {
    const { id } = await testApp.make.order({ ...COMPLETE, status })
    const file = await upload(id)
    await requestAllConversions(ctx, id)
    expect(await statusOf(id)).toEqual([status, 'in_progress'])
    await convertFully(ctx, file, 500)
    expect(await statusOf(id)).toEqual([status, 'available'])
  }
})

test('a second recomputation changes nothing', async () => {
  const { id } = await testApp.make.order(COMPLETE)
  await testApp.make.converted({ order_id: id })
  await recompute(ctx, id)
  const events = () => db.selectFrom('events').where('subject_id', '=', id).selectAll().execute()
  const before = await events()
  await recompute(ctx, id)
  expect(await events()).toEqual(before)
})
