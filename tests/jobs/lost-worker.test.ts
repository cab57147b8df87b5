import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { slowConversion } from '../support/slow-conversion.ts'
import { startTestApp } from '../support/test-app.ts'
import { CONVERSION_TIMEOUT_MS, createOrderFixture, lockedJobs } from './order-fixture.ts'
import { operatorCommand, spawnWorker, stopProcess } from './process.ts'

test('a worker waits for migrations, survives a lost connection, and one that is frozen gives up its file (reliability 5, 25)', {
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  const { path, FFMPEG_PATH } = await slowConversion()
  await using testApp = await startTestApp({ FFMPEG_PATH })
  const { db } = testApp.owner
  const registered = async () =>
    (await db.selectFrom('worker_processes').select(['pid', 'lock_key']).distinct().execute()).map((row) => ({
      ...row,
      pid: row.pid ?? 0,
    }))

  await sql`delete from kysely_migration where name = '0064_operations'`.execute(db)
  const starting = spawnWorker(testApp)
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(await registered()).toEqual([])
  await sql`insert into kysely_migration (name, timestamp) values ('0064_operations', now()::text)`.execute(
    db,
  )
  const worker = await starting
  await expect.poll(async () => (await registered()).map(({ pid }) => pid)).toEqual([worker.pid])

  const before = (await registered())[0]?.lock_key
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'garantia worker %'
    and usename = ${new URL(testApp.url).username} and datname = current_database()`.execute(
    testApp.kernel.ctx.db,
  )
  await expect
    .poll(async () => (await registered()).filter(({ lock_key }) => lock_key !== before))
    .toMatchObject([{ pid: worker.pid }])
  expect(worker.exitCode).toBe(null)

  const at = await createOrderFixture(testApp)
  const { id } = await at.send(path)
  await at.convertAll()
  const state = () =>
    db
      .selectFrom('evidence_files')
      .where('id', '=', id)
      .select(['attempt', 'progress', 'status', 'error'])
      .executeTakeFirstOrThrow()
  await expect.poll(async () => (await state()).progress).toBeGreaterThan(0)
  worker.kill('SIGSTOP')
  // Half a minute of silence, without waiting for it.
  const silence = sql`update worker_processes set beat_at = now() - interval '31 seconds' where pid = ${worker.pid}`
  await silence.execute(db)
  expect((await operatorCommand(testApp, ['doutor'])).out).toContain(
    'worker: 1 worker não dá sinal de vida há mais de 30 s.',
  )
  const helper = await spawnWorker(testApp)
  await expect
    .poll(async () => {
      await silence.execute(db)
      return (await state()).attempt
    })
    .toBe(2)
  const again: string[] = []
  createInterface({ input: worker.stdout ?? process.stdin }).on('line', (line) => again.push(line))
  worker.kill('SIGCONT')
  await expect.poll(() => again.some((line) => line.includes('"pronto"'))).toBe(true)
  // The one that comes back must not take the job away from the one that has it now.
  const withJob = () =>
    db
      .selectFrom('evidence_files')
      .where('id', '=', id)
      .select(['error', 'status'])
      .select(
        sql<boolean>`exists (select from graphile_worker.jobs where key = 'convert:' || evidence_files.id)`.as(
          'has_job',
        ),
      )
      .executeTakeFirstOrThrow()
  await expect
    .poll(async () => {
      const { error, status, has_job } = await withJob()
      if (status === 'converting' && !has_job) throw new Error('a file that is converted without a job')
      return error ?? status
    })
    .toBe('converted')
  expect(await state()).toMatchObject({ attempt: 2 })
  for (const one of [worker, helper]) expect(await stopProcess(one, 'SIGTERM')).toBe(0)
  expect(await lockedJobs(testApp)).toEqual([])
  expect(await registered()).toEqual([])
})
