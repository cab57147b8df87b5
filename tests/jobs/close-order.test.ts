import { startWorker } from '@garantia/worker'
import { expect, test } from 'vitest'
import { slowConversion } from '../support/slow-conversion.ts'
import { startTestApp } from '../support/test-app.ts'
import { CONVERSION_TIMEOUT_MS, createOrderFixture, jobs, leftovers, storedFiles } from './order-fixture.ts'

test('a worker aborts its jobs when their order is cancelled or deleted meanwhile (STA-13, decisions 2, D-17)', {
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  const { path, FFMPEG_PATH } = await slowConversion()
  await using testApp = await startTestApp({ FFMPEG_PATH })
  const { order_id, ...at } = await createOrderFixture(testApp)
  const { api } = await testApp.as(await testApp.make.user({ is_superuser: true }))
  await at.send(path)
  const worker = await startWorker(testApp.kernel)
  const isUnderWay = () =>
    expect
      .poll(async () => (await at.list()).evidence_files[0]?.progress, { interval: 100 })
      .toBeGreaterThan(3)
  const isAtRest = () =>
    expect
      .poll(async () => [await jobs(testApp), await leftovers(testApp)], { interval: 200 })
      .toEqual([[], []])

  await at.convertAll()
  await isUnderWay()
  expect((await api('POST', `/service-orders/${order_id}/status/cancelled`)).statusCode).toBe(200)
  await isAtRest()
  const [dropped] = await storedFiles(testApp)
  expect(dropped).toMatchObject({ row: { status: 'pending' }, objects: ['original.mp4'] })
  expect(await at.order()).toMatchObject({ status: 'cancelled', conversion_status: 'not_started' })

  const reopened = await api('POST', `/service-orders/${order_id}/status/pending_upload?reason=Engano`)
  expect(reopened.json()).toMatchObject({ status: 'pending_upload' })
  await at.convertAll()
  await isUnderWay()
  expect((await api('DELETE', `/service-orders/${order_id}`)).statusCode).toBe(200)
  await isAtRest()
  await worker.stop()
  const [left] = await storedFiles(testApp)
  expect(left).toMatchObject({
    row: { status: 'pending' },
    objects: ['original.mp4'],
    isOriginalUntouched: true,
  })
})
