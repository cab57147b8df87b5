import { tellAlarms } from '@garantia/server/features/system/alarms'
import {
  pauseJobs,
  readFindings,
  readProblems,
  readQueue,
  resumeJobs,
  retryJobNow,
} from '@garantia/server/features/system/installation'
import { noteVerification } from '@garantia/server/features/system/verification'
import type { Ctx } from '@garantia/server/kernel'
import { JOB_LABEL } from '@garantia/shared/installation/jobs'
import { JOBS } from '@garantia/shared/jobs'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx
const { ctx: boss } = await testApp.as(await testApp.make.user({ is_superuser: true }))
const { ctx: manager } = await testApp.as(await testApp.make.user({ role: 'manager' }))
const { ctx: admin } = await testApp.as(await testApp.make.user({ role: 'admin' }))

test('a superuser sees what doutor finds, what has to be mended first', async () => {
  const { findings } = await readFindings(boss)
  const levels = findings.map(({ level }) => level)
  expect(levels).toEqual([...levels].sort((a, b) => 'fwo'.indexOf(a[0] ?? '') - 'fwo'.indexOf(b[0] ?? '')))
  expect(findings[0]).toMatchObject({
    subject: 'worker',
    level: 'fault',
    advice: expect.stringContaining('npm start'),
  })
  expect(findings).toContainEqual(expect.objectContaining({ subject: 'esquema', level: 'ok' }))
})

test('the queue is paused and resumed once, and a job that waits runs again with all its attempts', async () => {
  const { rows } = await sql<{ id: string }>`select id from graphile_worker.add_job('sweep-sessions', '{}',
    run_at => now() + interval '1 day')`.execute(db)
  const job_id = Number(rows[0]?.id)
  await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'quebrou' where id = ${job_id}`.execute(
    db,
  )
  expect(await readQueue(boss)).toMatchObject({
    is_paused: false,
    has_more: false,
    jobs: [{ job_id, task: 'sweep-sessions', running: false, last_error: 'quebrou' }],
  })
  await pauseJobs(boss)
  await expect(pauseJobs(boss)).rejects.toMatchObject({ code: 'conflict' })
  expect(await readQueue(boss)).toMatchObject({ is_paused: true })
  await resumeJobs(boss)
  await expect(resumeJobs(boss)).rejects.toMatchObject({ code: 'conflict' })
  await retryJobNow(boss, job_id)
  const [job] = (await readQueue(boss)).jobs
  expect(job).toMatchObject({ job_id, attempts: 0 })
  expect(new Date(job?.run_at ?? 0).getTime()).toBeLessThanOrEqual(Date.now() + 1_000)
  await expect(retryJobNow(boss, 999_999)).rejects.toMatchObject({ code: 'not_found' })
})

test('problems that last are told to administrators, those of backups to superusers alone', async () => {
  const later = () => new Date(Date.now() + 61_000)
  const kinds = async (ctx: Ctx, clock = later) =>
    (await readProblems({ ...ctx, clock })).map(({ kind }) => kind)
  await pauseJobs(boss)
  await noteVerification(boss, { kind: 'trail', checked: 1, faults: 1, first_fault: 'OS id 1' })
  expect(await kinds(boss)).toEqual([])
  await tellAlarms(boss)
  expect(await kinds(boss, () => new Date())).toEqual([])
  expect(await kinds(boss)).toEqual(['workers', 'paused', 'verification'])
  expect(await kinds(admin)).toEqual(['workers', 'paused'])
  await resumeJobs(boss)
  expect(await kinds(admin)).toEqual(['workers'])
  await sql`select graphile_worker.add_job('recheck-orders', '{"brand_id": 1}', run_at => now() - interval '6 minutes')`.execute(
    db,
  )
  await tellAlarms(boss)
  expect(await kinds(admin)).toEqual(['workers', 'queue'])
  expect(await kinds(manager)).toEqual([])
})

test('nobody else reads or changes any of it', async () => {
  for (const call of [readFindings, readQueue, pauseJobs, resumeJobs])
    await expect(call(admin)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(retryJobNow(admin, 1)).rejects.toMatchObject({ code: 'forbidden' })
})

test('every job has a name for people', () => {
  expect(Object.keys(JOB_LABEL).sort()).toEqual(Object.keys(JOBS).sort())
})
