import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { postponeJob } from '@garantia/server/kernel'
import { startWorker } from '@garantia/worker'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { slowness } from '../support/machine-speed.ts'
import * as media from '../support/media.ts'
import { slowConversion } from '../support/slow-conversion.ts'
import { startTestApp } from '../support/test-app.ts'
import { CONVERSION_TIMEOUT_MS, createOrderFixture, jobs, lockedJobs, storedFiles } from './order-fixture.ts'
import { processesAbout, spawnWorker, stopProcess } from './process.ts'

const KILLS = 10

test('promise 1: the file of a killed worker is converted by another within a minute, without intervention', {
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const at = await createOrderFixture(testApp)
  const { path, FFMPEG_PATH } = await slowConversion()
  const { id } = await at.send(path)
  const killed = await spawnWorker(testApp, { FFMPEG_PATH })
  await at.convertAll()
  const state = () =>
    testApp.kernel.ctx.db
      .selectFrom('evidence_files')
      .where('id', '=', id)
      .select(['attempt', 'progress'])
      .executeTakeFirstOrThrow()
  await expect.poll(async () => (await state()).progress).toBeGreaterThan(0)
  // It runs already when the other dies, and only the released lock tells it so.
  const helper = await spawnWorker(testApp)
  await stopProcess(killed, 'SIGKILL')
  const killedAt = performance.now()
  await expect.poll(async () => (await state()).attempt).toBe(2)
  expect(performance.now() - killedAt).toBeLessThan(60_000 * slowness())
  expect(await stopProcess(helper, 'SIGTERM')).toBe(0)
  expect(await lockedJobs(testApp)).toEqual([])
})

test('promise 1: a worker takes no job before its own death would be noticed', {
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const { phone, ...at } = await createOrderFixture(testApp)
  await at.send(await media.photo(phone))
  await at.convertAll()
  const { db } = testApp.kernel.ctx
  const waiting = () =>
    sql<{ n: number }>`select count(*)::int as n from pg_locks where relation = 'worker_processes'::regclass
      and not granted`
      .execute(db)
      .then(({ rows }) => rows[0]?.n)
  const attempt = async () =>
    (await db.selectFrom('evidence_files').select('attempt').executeTakeFirstOrThrow()).attempt
  const [worker, attemptUnregistered] = await db.transaction().execute(async (trx) => {
    await sql`lock table worker_processes in share mode`.execute(trx)
    const worker = startWorker(testApp.kernel)
    await expect.poll(waiting).toBeGreaterThan(0)
    // Long enough for a worker that does not wait: it takes a job within milliseconds.
    await wait(1_000)
    return [worker, await attempt()] as const
  })
  expect(attemptUnregistered).toBe(0)
  await at.waitUntilConverted()
  await (await worker).stop()
})

test('promise 1: neither a lock under an id that no worker has recorded nor the delay after many attempts keeps a file waiting', {
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const { phone, ...at } = await createOrderFixture(testApp)
  const locked = await at.send(await media.photo(phone))
  const delayed = await at.send(await media.photo(phone, { name: 'outra' }))
  const postponed = await at.send(await media.photo(phone, { name: 'adiada' }))
  await at.convertAll()
  const { db } = testApp.kernel.ctx
  await sql`update graphile_worker._private_jobs set locked_by = 'pool-gone', locked_at = now()
    where key = ${`convert:${locked.id}`}`.execute(db)
  await sql`update graphile_worker._private_jobs set attempts = 10, run_at = now() + interval '6 hours'
    where key = ${`convert:${delayed.id}`}`.execute(db)
  await postponeJob(testApp.kernel.ctx, `convert:${postponed.id}`, new Date(Date.now() + 6 * 3_600_000))
  const worker = await startWorker(testApp.kernel)
  const statusOf = async (id: number) =>
    (await at.list()).evidence_files.find((file) => file.id === id)?.status
  await expect.poll(() => statusOf(locked.id)).toBe('converted')
  const secondsLeft = async ({ id }: { id: number }) => {
    const { rows } = await sql<{ left: number }>`select extract(epoch from run_at - now())::float as left
      from graphile_worker.jobs where key = ${`convert:${id}`}`.execute(db)
    return rows[0]?.left
  }
  await expect.poll(() => secondsLeft(delayed)).toBeLessThanOrEqual(60)
  // One that was put off on purpose, as in the demonstration, has no attempt behind it and stays.
  expect(await secondsLeft(postponed)).toBeGreaterThan(3_600)
  await worker.stop()
})

test('promise 1: a worker killed ten times at random times loses nothing and converts every file once', {
  tags: ['exhaustive'],
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const { phone, ...at } = await createOrderFixture(testApp, { max_file_size_mb: 25, max_video_count: 9 })
  for (let n = 0; n < 8; n++)
    await at.send(await media.photo(phone, { name: `foto-${n}`, width: 1600, height: 1200, noise: 100 }))
  for (const name of ['ida', 'volta'])
    await at.send(await media.video(phone, { name, seconds: 6, noise: 4 + name.length, codec: 'mpeg4' }))
  await at.send(await media.pdf(phone, { photo: { width: 1600, height: 1200 } }))
  await at.convertAll()

  const killDelaysMs: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const worker = await spawnWorker(testApp)
    killDelaysMs.push(Math.round(Math.random() * 1_000))
    await wait(killDelaysMs.at(-1))
    await stopProcess(worker, 'SIGKILL')
  }
  const last = await spawnWorker(testApp)
  const done = await at.waitUntilConverted()
  await expect.poll(() => jobs(testApp)).toEqual([])
  expect(await stopProcess(last, 'SIGTERM')).toBe(0)

  const about = `killed after ${killDelaysMs.join(', ')} ms`
  expect(
    done.evidence_files.map(({ status, error }) => error ?? status),
    about,
  ).toEqual(Array(11).fill('converted'))
  const files = await storedFiles(testApp)
  for (const { row, objects, isAsRecorded, isOriginalUntouched } of files)
    expect([row.original_filename, objects.length, isAsRecorded, isOriginalUntouched], about).toEqual([
      row.original_filename,
      2,
      true,
      true,
    ])
  expect(new Set(files.map(({ row }) => row.converted_filename)).size).toBe(11)

  const events = await testApp.kernel.ctx.db
    .selectFrom('events')
    .where('kind', '=', 'evidence.converted')
    .selectAll()
    .execute()
  expect(events, about).toHaveLength(11)
  expect(await at.order()).toMatchObject({ status: 'ready', conversion_status: 'available' })
  expect(await lockedJobs(testApp), about).toEqual([])
  expect(await testApp.kernel.ctx.db.selectFrom('worker_processes').selectAll().execute(), about).toEqual([])
  expect(
    (await readdir(join(testApp.dir, 'tmp'))).filter((name) => name !== testApp.kernel.ctx.scratch.folder),
    about,
  ).toEqual([])
  expect(await processesAbout(testApp.dir), about).toEqual([])
})
