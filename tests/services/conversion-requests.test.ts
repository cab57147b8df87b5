import {
  queuedJobs,
  requestAllConversions,
  requestConversion,
  retryFailed,
} from '@garantia/server/features/evidence/conversion'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const boss = (await testApp.as(await testApp.make.user({ is_superuser: true }))).ctx

beforeEach(async () => {
  const files = ctx.db.selectFrom('evidence_files').select('id')
  await ctx.db
    .updateTable('evidence_files')
    .set({ deleted_at: new Date() })
    .where('id', 'in', files)
    .execute()
})

const statusOf = async (order_id: number) =>
  ctx.db
    .selectFrom('service_orders')
    .where('id', '=', order_id)
    .select(['status', 'conversion_status'])
    .executeTakeFirstOrThrow()
const jobsOf = async (ids: number[]) =>
  (await queuedJobs(ctx, 1_000)).filter((job) => ids.includes(job.evidence_id ?? 0))

test('Processar queues a file once, however often it is requested (API-46, STA-23)', async () => {
  const file = await testApp.make.evidence()
  const answer = { message: 'Conversão iniciada', evidence_id: file.id, status: 'converting' }
  const answers = await Promise.all([1, 2, 3].map(() => requestConversion(boss, file.id)))
  expect(answers).toEqual([answer, answer, answer])
  expect(await jobsOf([file.id])).toMatchObject([{ task: 'convert-evidence', attempts: 0, running: false }])
  expect(await statusOf(file.order_id)).toEqual({ status: 'in_progress', conversion_status: 'in_progress' })
})

test('Converter Todos queues pending and failed files, and pictures before videos (API-47, D-21)', async () => {
  const { id: order_id } = await testApp.make.order()
  const video = await testApp.make.evidence({ order_id, file_type: 'video', format: 'mp4' })
  const photo = await testApp.make.evidence({ order_id })
  const failed = await testApp.make.evidence({ order_id, status: 'failed', error: 'Arquivo danificado' })
  const done = await testApp.make.converted({ order_id })
  expect(await requestAllConversions(boss, order_id)).toEqual({
    message: 'Conversão em lote iniciada: 3 arquivos',
    total_files: 3,
  })
  const queued = await jobsOf([video.id, photo.id, failed.id, done.id])
  expect(queued.map(({ evidence_id }) => evidence_id)).toEqual([photo.id, failed.id, video.id])
  expect(await requestAllConversions(boss, order_id)).toEqual({
    message: 'Nenhum arquivo para converter',
    total_files: 0,
  })
})

test('screenshots are converted before photos, whose own size predicts their result better (D-19)', async () => {
  const { id: order_id } = await testApp.make.order()
  const videoFile = await testApp.make.evidence({
    order_id,
    file_type: 'video',
    format: 'mp4',
    file_size: 50_000,
  })
  const large = await testApp.make.evidence({ order_id, file_size: 900_000 })
  const small = await testApp.make.evidence({ order_id, file_size: 100_000 })
  const screenshot = await testApp.make.evidence({ order_id, format: 'png', file_size: 5_000_000 })
  await requestAllConversions(boss, order_id)
  const queued = await jobsOf([videoFile.id, large.id, small.id, screenshot.id])
  expect(queued.map(({ evidence_id }) => evidence_id)).toEqual([
    screenshot.id,
    small.id,
    large.id,
    videoFile.id,
  ])
})

test('a converted file is converted again only when forced (D-08)', async () => {
  const file = await testApp.make.converted()
  await expect(requestConversion(boss, file.id)).rejects.toMatchObject({
    code: 'rule',
    detail: 'Este arquivo já foi convertido.',
  })
  expect(await requestAllConversions(boss, file.order_id)).toMatchObject({ total_files: 0 })
  expect(await jobsOf([file.id])).toEqual([])
  await requestConversion(boss, file.id, true)
  expect(await jobsOf([file.id])).toHaveLength(1)
})

test('a file whose bytes retention has deleted is not converted again, not even when forced', async () => {
  const file = await testApp.make.converted({ purged_at: new Date() })
  expect(await requestAllConversions(boss, file.order_id, true)).toMatchObject({ total_files: 0 })
  expect(await jobsOf([file.id])).toEqual([])
})

test.each(['completed', 'cancelled'] as const)('a %s order converts nothing (STA-13)', async (status) => {
  const order = await testApp.make.order({ status })
  const file = await testApp.make.evidence({ order_id: order.id })
  for (const attempt of [
    () => requestConversion(boss, file.id),
    () => requestAllConversions(boss, order.id, true),
  ])
    await expect(attempt()).rejects.toMatchObject({
      code: 'conflict',
      detail: 'OS concluída ou cancelada não pode ser editada',
    })
  expect(await jobsOf([file.id])).toEqual([])
})

test('a deleted file is not found, nor is one of a deleted order (API-46)', async () => {
  const deleted = await testApp.make.evidence({ deleted_at: new Date() })
  const orphan = await testApp.make.evidence({
    order_id: (await testApp.make.order({ deleted_at: new Date() })).id,
  })
  for (const { id } of [deleted, orphan])
    await expect(requestConversion(boss, id)).rejects.toMatchObject({
      code: 'not_found',
      detail: 'Evidência não encontrada',
    })
})

test('retrying the failed ones changes neither closed or deleted orders nor other files', async () => {
  const open = await testApp.make.evidence({ status: 'failed', error: 'x' })
  await testApp.make.evidence({ order_id: open.order_id })
  await testApp.make.evidence({
    status: 'failed',
    error: 'x',
    order_id: (await testApp.make.order({ status: 'cancelled' })).id,
  })
  await testApp.make.evidence({ status: 'failed', error: 'x', deleted_at: new Date() })
  const { id: deleted_order } = await testApp.make.order({ deleted_at: new Date() })
  const orphan = await testApp.make.evidence({ status: 'failed', error: 'x', order_id: deleted_order })
  expect(await retryFailed(ctx)).toEqual({ orders: 1, total_files: 1 })
  expect(await jobsOf([open.id, orphan.id])).toHaveLength(1)
  expect(await retryFailed(ctx)).toEqual({ orders: 0, total_files: 0 })
})
