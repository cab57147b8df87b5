import {
  failConversion,
  failStranded,
  requestAllConversions,
  requestConversion,
  reserveBudget,
  rotatePhoto,
} from '@garantia/server/features/evidence/conversion'
import { setStatus } from '@garantia/server/features/orders/order'
import { verifyChains } from '@garantia/server/features/records/chain'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { acquireLease, convertFully, finishWith } from './conversion-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const clerk = await testApp.as(await testApp.make.user({ is_superuser: true }))
const brand_id = (await testApp.make.brand({ max_file_size_mb: 10 })).id
const PHOTO = { width: 4_000, height: 3_000, file_size: 9_000_000 }
const FIRST = 1_000_000

const rowOf = (id: number) =>
  db.selectFrom('evidence_files').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
const orderOf = (id: number) =>
  db.selectFrom('service_orders').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
const kindsOf = async (order_id: number) =>
  (
    await db
      .selectFrom('events')
      .where('subject', '=', 'order')
      .where('subject_id', '=', order_id)
      .select('kind')
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind)
const objectsOf = async (file: { original_key: string }) => {
  const folder = file.original_key.slice(0, file.original_key.lastIndexOf('/'))
  return (await testApp.filesOnDisk()).flatMap((path) => path.split(`${folder}/`)[1] ?? []).sort()
}
const jobOf = async (id: number) =>
  (
    await sql<{ max_attempts: number }>`select max_attempts from graphile_worker.jobs
      where key = ${`convert:${id}`}`.execute(db)
  ).rows[0]

/** Two photos with requested conversions; none is finished yet. */
async function twoPhotos() {
  const { id: order_id } = await testApp.make.order({ brand_id })
  const [one, other] = [
    await testApp.make.evidence({ order_id, ...PHOTO }),
    await testApp.make.evidence({ order_id, ...PHOTO }),
  ]
  await requestAllConversions(ctx, order_id)
  return { order_id, one, other }
}
/** An over-compressed photo beside one that needed little: the first is in its re-encode pass. */
async function inReencodePass() {
  const { order_id, one, other } = await twoPhotos()
  await finishWith(ctx, await acquireLease(ctx, one.id), FIRST, true)
  await finishWith(ctx, await acquireLease(ctx, other.id), 500_000)
  return { order_id, one, other }
}
const FIRST_COPY = { status: 'converted', converted_size: FIRST, error: null, is_reencode_pass: true }

test('an over-compressed file is re-encoded when budget is left after the last one, and the order never looks finished in between (D-19)', async () => {
  const { order_id, one, other } = await twoPhotos()
  await finishWith(ctx, await acquireLease(ctx, one.id), FIRST, true)
  expect(await rowOf(one.id)).toMatchObject({ status: 'converted', is_over_compressed: true })
  await finishWith(ctx, await acquireLease(ctx, other.id), 500_000)
  expect(await rowOf(one.id)).toMatchObject({ status: 'converting', converted_size: FIRST })
  expect(await rowOf(other.id)).toMatchObject({ status: 'converted', is_over_compressed: false })
  expect(await orderOf(order_id)).toMatchObject({ status: 'in_progress' })
  expect(await jobOf(one.id)).toEqual({ max_attempts: 3 })

  const lease = await acquireLease(ctx, one.id)
  const share = (await reserveBudget(ctx, lease)) ?? 0
  expect(share).toBeGreaterThan(9 * FIRST)
  expect(await objectsOf(one)).toEqual(['converted-1', 'original.jpg'])
  expect(await finishWith(ctx, lease, 2 * FIRST, true)).toBe(true)
  expect(await objectsOf(one)).toEqual(['converted-2', 'original.jpg'])
  // Still over-compressed with budget left, but there is only one re-encode pass.
  expect(await rowOf(one.id)).toMatchObject({
    status: 'converted',
    converted_size: 2 * FIRST,
    is_over_compressed: true,
  })
  expect(await kindsOf(order_id)).toEqual([
    'conversion.requested',
    'status',
    'evidence.converted',
    'evidence.converted',
    'conversion.repeated',
    'evidence.converted',
    'status',
  ])
  expect((await verifyChains(ctx)).faults).toEqual([])
})

test('a failure of the last file releases its budget to the over-compressed ones', async () => {
  const { one, other } = await twoPhotos()
  await finishWith(ctx, await acquireLease(ctx, one.id), FIRST, true)
  const { attempt } = await acquireLease(ctx, other.id)
  await failConversion(ctx, other.id, attempt, 'A imagem está danificada.')
  expect(await rowOf(other.id)).toMatchObject({ status: 'failed' })
  expect(await rowOf(one.id)).toMatchObject({ status: 'converting', is_reencode_pass: true })
})

test('there is no re-encode pass when 70 % are used, when nothing was over-compressed, while a file is queued, or for a closed order', async () => {
  const full = await twoPhotos()
  await finishWith(ctx, await acquireLease(ctx, full.one.id), 4_000_000, true)
  await finishWith(ctx, await acquireLease(ctx, full.other.id), 3_500_000, true)
  const best = await twoPhotos()
  for (const { id } of [best.one, best.other]) await finishWith(ctx, await acquireLease(ctx, id), 500_000)
  const queuedOrder = await twoPhotos()
  await testApp.make.evidence({ order_id: queuedOrder.order_id, ...PHOTO })
  for (const { id } of [queuedOrder.one, queuedOrder.other])
    await finishWith(ctx, await acquireLease(ctx, id), 500_000, true)
  const closed = await twoPhotos()
  await finishWith(ctx, await acquireLease(ctx, closed.one.id), FIRST, true)
  const late = await acquireLease(ctx, closed.other.id)
  await setStatus(clerk.ctx, closed.order_id, { status: 'cancelled', reason: 'Cliente desistiu' })
  expect(await finishWith(ctx, late, 500_000)).toBe(false)
  for (const { order_id, one } of [full, best, queuedOrder, closed]) {
    expect(await rowOf(one.id)).toMatchObject({ status: 'converted', is_reencode_pass: false })
    expect(await kindsOf(order_id)).not.toContain('conversion.repeated')
  }
})

test('a re-encode pass that fails, is lost with its worker or is no better keeps the fallback copy', async () => {
  const ends: Record<string, (id: number) => Promise<unknown>> = {
    'is refused': async (id) =>
      expect(await failConversion(ctx, id, (await acquireLease(ctx, id)).attempt, 'Não coube.')).toBe(false),
    'is no larger': async (id) =>
      expect(await finishWith(ctx, await acquireLease(ctx, id), FIRST)).toBe(false),
    'is over the limit': async (id) =>
      expect(await finishWith(ctx, await acquireLease(ctx, id), 20_000_000)).toBe(false),
    'loses its job': async (id) => {
      await sql`select graphile_worker.remove_job(${`convert:${id}`})`.execute(db)
      const queued_at = new Date(Date.now() - 60_000)
      await db.updateTable('evidence_files').set({ queued_at }).where('id', '=', id).execute()
      expect(await failStranded(ctx)).toBe(1)
    },
    'is cancelled with its order': async (id) => {
      const { order_id } = await rowOf(id)
      await acquireLease(ctx, id)
      await setStatus(clerk.ctx, order_id, { status: 'cancelled', reason: 'Cliente desistiu' })
    },
  }
  for (const [how, end] of Object.entries(ends)) {
    const { order_id, one } = await inReencodePass()
    const before = await rowOf(one.id)
    await end(one.id)
    const { converted_key, converted_sha256, converted_filename } = before
    expect(await rowOf(one.id), how).toMatchObject({
      ...FIRST_COPY,
      ...{ converted_key, converted_sha256, converted_filename, is_over_compressed: true },
    })
    expect(await objectsOf(one), how).toEqual(['converted-1', 'original.jpg'])
    expect(await kindsOf(order_id), how).not.toContain('evidence.failed')
    expect((await orderOf(order_id)).status, how).not.toBe('in_progress')
  }
  expect((await verifyChains(ctx)).faults).toEqual([])
})

test('after a worker dies in a re-encode pass the next one improves the fallback copy', async () => {
  const { one } = await inReencodePass()
  const dead = await acquireLease(ctx, one.id)
  await reserveBudget(ctx, dead)
  const next = await acquireLease(ctx, one.id)
  expect([next.attempt, next.fallback_bytes]).toEqual([dead.attempt + 1, FIRST])
  expect(await objectsOf(one)).toEqual(['converted-1', 'original.jpg'])
  await reserveBudget(ctx, next)
  expect(await finishWith(ctx, next, 3 * FIRST)).toBe(true)
  expect(await finishWith(ctx, dead, 4 * FIRST)).toBe(false)
  expect(await rowOf(one.id)).toMatchObject({
    ...FIRST_COPY,
    converted_size: 3 * FIRST,
    is_over_compressed: false,
  })
})

test('a file that arrives during a re-encode pass gets its share first; a copy that could hardly improve stays (D-19)', async () => {
  const { order_id, one, other } = await inReencodePass()
  const late = await testApp.make.evidence({
    ...{ order_id, file_type: 'document', format: 'pdf', file_size: 8_150_000 },
  })
  await requestConversion(ctx, late.id)
  const lease = await acquireLease(ctx, late.id)
  const share = (await reserveBudget(ctx, lease)) ?? 0
  expect(share).toBeGreaterThanOrEqual(8_150_000)
  const again = await acquireLease(ctx, one.id)
  expect(await reserveBudget(ctx, again)).toBeNull()
  expect(await rowOf(one.id)).toMatchObject(FIRST_COPY)
  await finishWith(ctx, lease, 8_150_000)
  for (const { id } of [one, other, late]) expect(await rowOf(id)).toMatchObject({ status: 'converted' })
})

test('a new conversion request is a full one: no fallback copy, and another re-encode pass', async () => {
  const { one } = await inReencodePass()
  await convertFully(ctx, one.id, 2 * FIRST)
  await requestConversion(ctx, one.id, true)
  expect(await rowOf(one.id)).toMatchObject({ is_reencode_pass: false })
  await finishWith(ctx, await acquireLease(ctx, one.id), FIRST, true)
  expect(await rowOf(one.id)).toMatchObject({ status: 'converting', is_reencode_pass: true })
  // The copy shows the old angle: a rotation makes it worthless, also while it waits for its re-encode pass.
  await rotatePhoto(clerk.ctx, one.id, 90)
  expect((await acquireLease(ctx, one.id)).fallback_bytes).toBeNull()
  const { attempt } = await rowOf(one.id)
  expect(await failConversion(ctx, one.id, attempt, 'A imagem está danificada.')).toBe(true)
  expect(await rowOf(one.id)).toMatchObject({ status: 'failed' })
})
