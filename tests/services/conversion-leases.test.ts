import {
  failConversion,
  failStranded,
  INTERRUPTED,
  leaseConversion,
  readConversionState,
  reportProgress,
  requestConversion,
  reserveBudget,
} from '@garantia/server/features/evidence/conversion'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { eventKinds } from '../support/event-kinds.ts'
import { startTestApp } from '../support/test-app.ts'
import { acquireLease, finishWith } from './conversion-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx

const rowOf = (id: number) =>
  db.selectFrom('evidence_files').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
const objectsOf = async (file: { original_key: string }) => {
  const folder = file.original_key.slice(0, file.original_key.lastIndexOf('/'))
  return (await testApp.filesOnDisk()).flatMap((path) => path.split(`${folder}/`)[1] ?? []).sort()
}
const queued = async () => {
  const file = await testApp.make.evidence()
  await requestConversion(ctx, file.id)
  return file
}

test('only the newest attempt writes a result; the object of an older one is removed (reliability 1)', async () => {
  const file = await queued()
  const [old, newest] = [await acquireLease(ctx, file.id), await acquireLease(ctx, file.id)]
  expect([old.attempt, newest.attempt]).toEqual([1, 2])
  expect(await finishWith(ctx, old)).toBe(false)
  expect(await rowOf(file.id)).toMatchObject({ status: 'converting', converted_key: null })
  expect(await finishWith(ctx, newest, 2_222)).toBe(true)
  expect(await finishWith(ctx, old, 1_111)).toBe(false)
  expect(await rowOf(file.id)).toMatchObject({ status: 'converted', converted_size: 2_222, progress: 100 })
  expect(await objectsOf(file)).toEqual(['converted-2', 'original.jpg'])
})

test('two attempts that finish concurrently leave one result (reliability 1)', async () => {
  const file = await queued()
  const leases = [
    await acquireLease(ctx, file.id),
    await acquireLease(ctx, file.id),
    await acquireLease(ctx, file.id),
  ]
  const written = await Promise.all(leases.map((lease) => finishWith(ctx, lease)))
  expect(written).toEqual([false, false, true])
  expect(await objectsOf(file)).toEqual(['converted-3', 'original.jpg'])
})

test('reports of an older attempt are ignored (reliability 1)', async () => {
  const file = await queued()
  const [old, newest] = [await acquireLease(ctx, file.id), await acquireLease(ctx, file.id)]
  expect(await reserveBudget(ctx, old)).toBeNull()
  expect(await reportProgress(ctx, old, 90)).toBe(false)
  expect(await failConversion(ctx, file.id, old.attempt, 'Antigo')).toBe(false)
  expect(await reportProgress(ctx, newest, 41.9)).toBe(true)
  expect(await rowOf(file.id)).toMatchObject({ status: 'converting', progress: 41, error: null })
})

test('progress stays between 0 and 99 until the result is there (EVI-14)', async () => {
  const file = await queued()
  const lease = await acquireLease(ctx, file.id)
  for (const [said, shown] of [
    [-5, 0],
    [250, 99],
  ] as const) {
    await reportProgress(ctx, lease, said)
    expect(await readConversionState(ctx, file.id)).toMatchObject({ status: 'converting', progress: shown })
  }
  await finishWith(ctx, lease)
  expect(await reportProgress(ctx, lease, 50)).toBe(false)
  expect(await readConversionState(ctx, file.id)).toMatchObject({ status: 'converted', progress: 100 })
})

test('a failure carries its reason until the file is processed again (STA-22, API-48)', async () => {
  const file = await queued()
  const lease = await acquireLease(ctx, file.id)
  expect(await failConversion(ctx, file.id, lease.attempt, 'O vídeo está danificado.')).toBe(true)
  expect(await readConversionState(ctx, file.id)).toMatchObject({
    evidence_id: file.id,
    status: 'failed',
    error: 'O vídeo está danificado.',
    attempts: 1,
    finished_at: expect.any(String),
  })
  expect(await eventKinds(db, 'order', file.order_id)).toContain('evidence.failed')
  await requestConversion(ctx, file.id)
  expect(await readConversionState(ctx, file.id)).toMatchObject({
    status: 'converting',
    error: null,
    progress: 0,
  })
})

test('objects of a killed attempt that were not recorded are removed by the next one (reliability 1)', async () => {
  const file = await queued()
  const killed = await acquireLease(ctx, file.id)
  await ctx.scratch.within('morto', async (dir) => {
    await ctx.storage.fetch(file.original_key, `${dir}/copia`)
    await ctx.storage.moveIn(`${killed.folder}/converted-1`, `${dir}/copia`)
  })
  await acquireLease(ctx, file.id)
  expect(await objectsOf(file)).toEqual(['original.jpg'])
})

test('a forced conversion keeps the old copy until the new one is stored', async () => {
  const file = await queued()
  await finishWith(ctx, await acquireLease(ctx, file.id), 1_000)
  await requestConversion(ctx, file.id, true)
  const again = await acquireLease(ctx, file.id)
  expect(await objectsOf(file)).toEqual(['converted-1', 'original.jpg'])
  await finishWith(ctx, again, 900)
  expect(await objectsOf(file)).toEqual(['converted-2', 'original.jpg'])
  expect(await rowOf(file.id)).toMatchObject({ converted_size: 900 })
})

test('no conversion is leased for a file that is deleted, converted or not queued (reliability 1)', async () => {
  const [deleted, converted, waiting] = [
    await queued(),
    await testApp.make.converted(),
    await testApp.make.evidence(),
  ]
  await db
    .updateTable('evidence_files')
    .set({ deleted_at: new Date() })
    .where('id', '=', deleted.id)
    .execute()
  for (const { id } of [deleted, converted, waiting, { id: 999_999 }])
    expect(await leaseConversion(ctx, id)).toBeNull()
})

test('a file whose order was closed meanwhile becomes pending again (STA-13)', async () => {
  const file = await queued()
  await db
    .updateTable('service_orders')
    .set({ status: 'cancelled', cancelled_at: new Date() })
    .where('id', '=', file.order_id)
    .execute()
  expect(await leaseConversion(ctx, file.id)).toBeNull()
  expect(await rowOf(file.id)).toMatchObject({ status: 'pending' })
})

test('a converting file without a job is marked failed, but not while it is being enqueued (D-08)', async () => {
  const [lost, exhausted, young, living] = [await queued(), await queued(), await queued(), await queued()]
  const jobKeyOf = ({ id }: { id: number }) => `convert:${id}`
  for (const file of [lost, young])
    await sql`select graphile_worker.remove_job(${jobKeyOf(file)})`.execute(db)
  await sql`select graphile_worker.permanently_fail_jobs(array_agg(id), 'fim') from graphile_worker.jobs
    where key = ${jobKeyOf(exhausted)}`.execute(db)
  await db
    .updateTable('evidence_files')
    .set({ queued_at: new Date(Date.now() - 60_000) })
    .where('id', 'in', [lost.id, exhausted.id, living.id])
    .execute()
  expect(await failStranded(ctx)).toBe(2)
  for (const { id } of [lost, exhausted])
    expect(await readConversionState(ctx, id)).toMatchObject({ status: 'failed', error: INTERRUPTED })
  for (const { id } of [young, living])
    expect(await readConversionState(ctx, id)).toMatchObject({ status: 'converting' })
  expect(await failStranded(ctx)).toBe(0)
})
