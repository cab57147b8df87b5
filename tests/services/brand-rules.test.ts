import { changeBrand, readBrand } from '@garantia/server/features/catalogue/brands'
import { convertUploads } from '@garantia/server/features/evidence/conversion'
import { recheckOrders } from '@garantia/server/features/evidence/recheck'
import { brandView } from '@garantia/shared/brands/schema'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const admin = await testApp.as(await testApp.make.user({ role: 'admin', full_name: 'Ana Admin' }))

const jobs = async (task: string) => {
  const { rows } = await sql<{ payload: object }>`select payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = ${task} order by j.id`.execute(
    ctx.db,
  )
  return rows.map(({ payload }) => payload)
}
const eventsOf = (id: number) =>
  ctx.db
    .selectFrom('events')
    .where('subject', '=', 'brand')
    .where('subject_id', '=', id)
    .select(['kind', 'actor_name', 'changes'])
    .execute()
const statusOf = async (id: number) =>
  (
    await ctx.db
      .selectFrom('service_orders')
      .where('id', '=', id)
      .select(['status', 'conversion_status', 'evidence_version'])
      .executeTakeFirstOrThrow()
  ).status

const READY = {
  status: 'ready',
  problem_description: 'Ruído',
  customer_name: 'Maria',
  customer_phone: '11987654321',
  vehicle_model: 'X',
} as const

test('an administrator changes the given fields, and the example follows the template (D-33, ENT-7, BRD-7)', async () => {
  const { id } = await testApp.make.brand({ is_sample: true, submission_system: 'Portal' })
  const answer = await admin.api('PATCH', `/brands/${id}`, {
    max_file_size_mb: 42,
    naming_template: 'OS{os}-{categoria}-{seq2}',
    required_categories: [{ category: 'odometro', min: 2 }],
    submission_system: null,
    is_sample: false,
  })
  expect(answer.statusCode).toBe(200)
  expect(brandView.parse(answer.json())).toMatchObject({
    max_file_size_mb: 42,
    max_video_count: 2,
    naming_example: 'OS123456-defeito-01.jpg',
    required_categories: [{ category: 'odometro', min: 2 }],
    submission_system: null,
    is_sample: false,
    version: 2,
  })
  expect(await eventsOf(id)).toEqual([
    {
      kind: 'changed',
      actor_name: 'Ana Admin',
      changes: {
        max_file_size_mb: [10, 42],
        naming_template: ['{os}_{categoria}_{seq2}', 'OS{os}-{categoria}-{seq2}'],
        required_categories: [[], [{ category: 'odometro', min: 2 }]],
        submission_system: ['Portal', null],
        is_sample: [true, false],
      },
    },
  ])
  expect(await jobs('recheck-orders')).toContainEqual({ brand_id: id })
})

test('a change without a difference records no event (D-33)', async () => {
  const { id } = await testApp.make.brand({
    required_categories: JSON.stringify([{ category: 'placa', min: 1 }]),
  })
  const same = await changeBrand(admin.ctx, {
    id,
    change: { max_file_size_mb: 10, required_categories: [{ category: 'placa', min: 1 }] },
  })
  expect(same.version).toBe(1)
  expect(await eventsOf(id)).toEqual([])
  expect(await jobs('recheck-orders')).not.toContainEqual({ brand_id: id })
})

test('a second editor gets a conflict that names the first; REST without a version overwrites (D-49)', async () => {
  const { id } = await testApp.make.brand({ display_name: 'Fiat' })
  const edit = (version: number | undefined, max_video_count: number) =>
    changeBrand(admin.ctx, { id, version, change: { max_video_count } })
  await edit(1, 3)
  await expect(edit(1, 4)).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringMatching(/^A marca Fiat foi alterada por Ana Admin às \d\d:\d\d\.$/),
  })
  expect((await edit(undefined, 5)).max_video_count).toBe(5)
  await Promise.allSettled([6, 7, 8].map((count) => edit(3, count)))
  expect(await readBrand(admin.ctx, id)).toMatchObject({ version: 4 })
  await expect(changeBrand(admin.ctx, { id: 999_999, change: {} })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('open orders are re-evaluated by the new rules, closed and on-hold ones stay (D-33, STA-9, D-05)', async () => {
  const { id: brand_id } = await testApp.make.brand()
  const whole = async (fields: object = {}) => {
    const { id } = await testApp.make.order({ ...READY, brand_id, ...fields })
    await testApp.make.converted({ order_id: id, evidence_category: 'placa' })
    return id
  }
  const [ready, onHold, done, gone] = [
    await whole(),
    await whole({ status: 'in_analysis' }),
    await whole({ status: 'completed' }),
    await whole({ deleted_at: new Date() }),
  ]
  const other = await testApp.make.order({ status: 'ready' })
  const require = (min: number) =>
    changeBrand(admin.ctx, { id: brand_id, change: { required_categories: [{ category: 'placa', min }] } })
  await require(2)
  expect(await recheckOrders(ctx, brand_id)).toBe(2)
  expect(await Promise.all([ready, onHold, done, gone, other.id].map(statusOf))).toEqual([
    'pending_upload',
    'in_analysis',
    'completed',
    'ready',
    'ready',
  ])
  await require(1)
  await recheckOrders(ctx, brand_id)
  expect(await statusOf(ready)).toBe('ready')
})

test('a smaller limit makes the package no longer «available» (D-07, D-33)', async () => {
  const { id: brand_id } = await testApp.make.brand({ max_file_size_mb: 2 })
  const { id } = await testApp.make.order({ ...READY, brand_id, conversion_status: 'available' })
  await testApp.make.converted({ order_id: id }, Buffer.alloc(1_500_000))
  await changeBrand(admin.ctx, { id: brand_id, change: { max_file_size_mb: 1 } })
  await recheckOrders(ctx, brand_id)
  expect(
    await ctx.db
      .selectFrom('service_orders')
      .where('id', '=', id)
      .select(['status', 'conversion_status'])
      .execute(),
  ).toEqual([{ status: 'pending_upload', conversion_status: 'completed' }])
})

test('a brand with automatic conversion queues new files, once, and no others (D-20)', async () => {
  const { id: brand_id } = await testApp.make.brand({ auto_convert: true })
  const { id: order_id } = await testApp.make.order({ brand_id })
  const failed = await testApp.make.evidence({ order_id, status: 'failed', error: 'não coube' })
  await admin.upload(order_id, [
    { filename: 'a.jpg', content: await picture() },
    { filename: 'b.jpg', content: await picture() },
  ])
  expect((await jobs('convert-uploads')).filter((payload) => 'order_id' in payload)).toEqual([{ order_id }])
  expect(await convertUploads(ctx, order_id)).toBe(2)
  expect(await convertUploads(ctx, order_id)).toBe(0)
  const files = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .select(['id', 'status'])
    .orderBy('id')
    .execute()
  expect(files.map(({ status }) => status)).toEqual(['failed', 'converting', 'converting'])
  expect(files[0]?.id).toBe(failed.id)

  const manual = await testApp.make.order()
  await admin.upload(manual.id, [{ filename: 'a.jpg', content: await picture() }])
  expect(await jobs('convert-uploads')).not.toContainEqual({ order_id: manual.id })
  const closed = await testApp.make.order({ brand_id, status: 'completed' })
  expect(await convertUploads(ctx, closed.id)).toBe(0)
})
