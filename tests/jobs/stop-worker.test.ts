import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { slowness } from '../support/machine-speed.ts'
import * as media from '../support/media.ts'
import { slowConversion } from '../support/slow-conversion.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { CONVERSION_TIMEOUT_MS, createOrderFixture, jobs, leftovers, storedFiles } from './order-fixture.ts'
import { processesAbout, spawnWorker, stopProcess } from './process.ts'

/** Locked jobs and queues, the nightly ones too. */
async function locked({ kernel }: TestApp) {
  const { rows } = await sql<{ jobs: number; queues: number }>`select
    (select count(*)::int from graphile_worker._private_jobs where locked_by is not null) as jobs,
    (select count(*)::int from graphile_worker._private_job_queues where locked_by is not null) as queues`.execute(
    kernel.ctx.db,
  )
  return rows[0]
}
const NONE = { jobs: 0, queues: 0 }
const PHOTOS = 8

test('promise 2: a stopping worker returns its running job to the queue without consuming an attempt, and leaves nothing behind', {
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const at = await createOrderFixture(testApp)
  // It must not be ready within the time that a stopping worker gives its jobs.
  const { path, FFMPEG_PATH } = await slowConversion()
  const videoFile = await at.send(path)
  const first = await spawnWorker(testApp, { FFMPEG_PATH })
  await at.convertAll()
  await expect
    .poll(async () => (await at.list()).evidence_files[0]?.progress, { interval: 100 })
    .toBeGreaterThan(3)
  expect(await locked(testApp)).toMatchObject({ jobs: 1 })
  const before = Date.now()
  expect(await stopProcess(first, 'SIGTERM')).toBe(0)
  expect(Date.now() - before).toBeLessThan(10_000 * slowness())
  expect(await locked(testApp)).toEqual(NONE)
  expect(await leftovers(testApp)).toEqual([])
  expect(await processesAbout(testApp.dir)).toEqual([])
  expect(await jobs(testApp)).toMatchObject([{ key: `convert:${videoFile.id}`, attempts: 0 }])
  expect((await at.list()).evidence_files[0]).toMatchObject({ status: 'converting' })

  const second = await spawnWorker(testApp)
  await at.waitUntilConverted()
  expect(await stopProcess(second, 'SIGTERM')).toBe(0)
  const [file] = await storedFiles(testApp)
  expect(file).toMatchObject({
    isAsRecorded: true,
    isOriginalUntouched: true,
    objects: ['converted-2', 'original.mp4'],
  })
  expect(await jobs(testApp)).toEqual([])
  expect(await locked(testApp)).toEqual(NONE)
})

test('promise 2: a worker that is stopped while its jobs finish one after the other leaves none of them locked', {
  tags: ['exhaustive'],
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const { phone, ...at } = await createOrderFixture(testApp, { max_file_size_mb: 25 })
  for (let n = 0; n < PHOTOS; n++)
    await at.send(await media.photo(phone, { name: `foto-${n}`, width: 1200, height: 900, noise: 60 + n }))
  await at.convertAll()
  const converted = async () =>
    (await at.list()).evidence_files.filter(({ status }) => status === 'converted').length
  for (let stops = 1; (await converted()) < PHOTOS; stops++) {
    const before = await converted()
    const worker = await spawnWorker(testApp)
    await expect.poll(converted, { interval: 20 }).toBeGreaterThan(before)
    expect(await stopProcess(worker, 'SIGTERM')).toBe(0)
    expect(await locked(testApp), `stop ${stops}`).toEqual(NONE)
    expect(await leftovers(testApp), `stop ${stops}`).toEqual([])
  }
  const events = await testApp.kernel.ctx.db
    .selectFrom('events')
    .where('kind', '=', 'evidence.converted')
    .select('id')
    .execute()
  expect(events).toHaveLength(PHOTOS)
  expect(
    (await storedFiles(testApp)).every(({ isAsRecorded, objects }) => isAsRecorded && objects.length === 2),
  ).toBe(true)
})
