import { startWorker } from '@garantia/worker'
import { expect, test } from 'vitest'
import * as media from '../support/media.ts'
import { world } from '../support/world.ts'
import { jobs, leftovers, PATIENCE, scene, stored } from './scene.ts'

test('a worker lets go of an order that is cancelled or deleted under its hands (STA-13, decisions 2, D-17)', {
  timeout: PATIENCE,
}, async () => {
  await using w = await world()
  const { phone, order_id, ...at } = await scene(w, { max_file_size_mb: 100 })
  const { api } = await w.as(await w.make.user({ is_superuser: true }))
  const film = await media.video(phone, { seconds: 12, width: 854, height: 480, noise: 40, codec: 'mpeg4' })
  await at.send(film)
  const worker = await startWorker(w.kernel)
  const isUnderWay = () =>
    expect
      .poll(async () => (await at.list()).evidence_files[0]?.progress, { timeout: 60_000, interval: 100 })
      .toBeGreaterThan(3)
  const isAtRest = () =>
    expect
      .poll(async () => [await jobs(w), await leftovers(w)], { timeout: 60_000, interval: 200 })
      .toEqual([[], []])

  await at.convertAll()
  await isUnderWay()
  expect((await api('POST', `/service-orders/${order_id}/status/cancelled`)).statusCode).toBe(200)
  await isAtRest()
  const [dropped] = await stored(w)
  expect(dropped).toMatchObject({ row: { status: 'pending' }, objects: ['original.mp4'] })
  expect(await at.order()).toMatchObject({ status: 'cancelled', conversion_status: 'not_started' })

  const reopened = await api('POST', `/service-orders/${order_id}/status/pending_upload?reason=Engano`)
  expect(reopened.json()).toMatchObject({ status: 'pending_upload' })
  await at.convertAll()
  await isUnderWay()
  expect((await api('DELETE', `/service-orders/${order_id}`)).statusCode).toBe(200)
  await isAtRest()
  await worker.stop()
  const [left] = await stored(w)
  expect(left).toMatchObject({
    row: { status: 'pending' },
    objects: ['original.mp4'],
    isOriginalUntouched: true,
  })
})
