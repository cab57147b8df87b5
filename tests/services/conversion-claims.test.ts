import {
  claimConversion,
  failConversion,
  failStranded,
  INTERRUPTED,
  readConversionState,
  reportProgress,
  requestConversion,
  reserveBudget,
} from '@garantia/server/features/evidence/conversion'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { world } from '../support/world.ts'
import { claimed, finishWith } from './convert.ts'

const w = await world()
afterAll(() => w[Symbol.asyncDispose]())
const { ctx } = w.kernel
const { db } = ctx

const rowOf = (id: number) =>
  db.selectFrom('evidence_files').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
const objectsOf = async (file: { original_key: string }) => {
  const folder = file.original_key.slice(0, file.original_key.lastIndexOf('/'))
  return (await w.filesOnDisk()).flatMap((path) => path.split(`${folder}/`)[1] ?? []).sort()
}
const queued = async () => {
  const file = await w.make.evidence()
  await requestConversion(ctx, file.id)
  return file
}

test('only the newest attempt writes a result; the object of an older one is removed (reliability 1)', async () => {
  const file = await queued()
  const [old, newest] = [await claimed(ctx, file.id), await claimed(ctx, file.id)]
  expect([old.attempt, newest.attempt]).toEqual([1, 2])
  expect(await finishWith(ctx, old)).toBe(false)
  expect(await rowOf(file.id)).toMatchObject({ status: 'converting', converted_key: null })
  expect(await finishWith(ctx, newest, 2_222)).toBe(true)
  expect(await finishWith(ctx, old, 1_111)).toBe(false)
  expect(await rowOf(file.id)).toMatchObject({ status: 'converted', converted_size: 2_222, progress: 100 })
  expect(await objectsOf(file)).toEqual(['converted-2', 'original.jpg'])
})

test('two attempts that finish at the same moment leave one result (reliability 1)', async () => {
  const file = await queued()
  const claims = [await claimed(ctx, file.id), await claimed(ctx, file.id), await claimed(ctx, file.id)]
  const written = await Promise.all(claims.map((claim) => finishWith(ctx, claim)))
  expect(written).toEqual([false, false, true])
  expect(await objectsOf(file)).toEqual(['converted-3', 'original.jpg'])
})

test('what an older attempt says is not heard (reliability 1)', async () => {
  const file = await queued()
  const [old, newest] = [await claimed(ctx, file.id), await claimed(ctx, file.id)]
  expect(await reserveBudget(ctx, old)).toBeNull()
  expect(await reportProgress(ctx, old, 90)).toBe(false)
  expect(await failConversion(ctx, file.id, old.attempt, 'Antigo')).toBe(false)
  expect(await reportProgress(ctx, newest, 41.9)).toBe(true)
  expect(await rowOf(file.id)).toMatchObject({ status: 'converting', progress: 41, error: null })
})

test('progress stays between 0 and 99 until the result is there (EVI-14)', async () => {
  const file = await queued()
  const claim = await claimed(ctx, file.id)
  for (const [said, shown] of [
    [-5, 0],
    [250, 99],
  ] as const) {
    await reportProgress(ctx, claim, said)
    expect(await readConversionState(ctx, file.id)).toMatchObject({ status: 'converting', progress: shown })
  }
})

test('a failure carries its reason until the file is processed again (STA-22, API-48)', async () => {
  const file = await queued()
  const claim = await claimed(ctx, file.id)
  expect(await failConversion(ctx, file.id, claim.attempt, 'O vídeo está danificado.')).toBe(true)
  expect(await readConversionState(ctx, file.id)).toMatchObject({
    evidence_id: file.id,
    status: 'failed',
    error: 'O vídeo está danificado.',
    attempts: 1,
    finished_at: expect.any(String),
  })
  await requestConversion(ctx, file.id)
  expect(await readConversionState(ctx, file.id)).toMatchObject({
    status: 'converting',
    error: null,
    progress: 0,
  })
})

test('what a killed attempt wrote without saying so is removed by the next one (reliability 1)', async () => {
  const file = await queued()
  const killed = await claimed(ctx, file.id)
  await ctx.scratch.within('morto', async (dir) => {
    await ctx.storage.fetch(file.original_key, `${dir}/copia`)
    await ctx.storage.adopt(`${killed.folder}/converted-1`, `${dir}/copia`)
  })
  await claimed(ctx, file.id)
  expect(await objectsOf(file)).toEqual(['original.jpg'])
})

test('a forced conversion keeps the good copy until the new one is there', async () => {
  const file = await queued()
  await finishWith(ctx, await claimed(ctx, file.id), 1_000)
  await requestConversion(ctx, file.id, true)
  const again = await claimed(ctx, file.id)
  expect(await objectsOf(file)).toEqual(['converted-1', 'original.jpg'])
  await finishWith(ctx, again, 900)
  expect(await objectsOf(file)).toEqual(['converted-2', 'original.jpg'])
  expect(await rowOf(file.id)).toMatchObject({ converted_size: 900 })
})

test('nothing is claimed of a file that is deleted, converted or waiting (reliability 1)', async () => {
  const [deleted, converted, waiting] = [await queued(), await w.make.converted(), await w.make.evidence()]
  await db
    .updateTable('evidence_files')
    .set({ deleted_at: new Date() })
    .where('id', '=', deleted.id)
    .execute()
  for (const { id } of [deleted, converted, waiting, { id: 999_999 }])
    expect(await claimConversion(ctx, id)).toBeNull()
})

test('a file whose order was closed meanwhile goes back to waiting (STA-13)', async () => {
  const file = await queued()
  await db
    .updateTable('service_orders')
    .set({ status: 'cancelled', cancelled_at: new Date() })
    .where('id', '=', file.order_id)
    .execute()
  expect(await claimConversion(ctx, file.id)).toBeNull()
  expect(await rowOf(file.id)).toMatchObject({ status: 'pending' })
})

test('a converting file without a job is failed visibly, but not in the moment of its enqueueing (D-08)', async () => {
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
