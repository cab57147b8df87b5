import {
  failConversion,
  requestAllConversions,
  reserveBudget,
} from '@garantia/server/features/evidence/conversion'
import { listEvidence } from '@garantia/server/features/evidence/files'
import { longestVideo, packageLimit, payloadLimit } from '@garantia/shared/evidence/budget'
import { estimatePackage } from '@garantia/shared/evidence/estimate'
import { conversionJobKey } from '@garantia/shared/jobs'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { acquireLease, convertFully, finishWith, shareOf } from './conversion-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel

const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const LIMIT_MB = 10
const brand_id = (await testApp.make.brand({ max_file_size_mb: LIMIT_MB })).id

const phoneFile = fc.oneof(
  fc.record({
    file_type: fc.constant('image' as const),
    format: fc.constant('jpeg'),
    width: fc.integer({ min: 100, max: 9_000 }),
    height: fc.integer({ min: 100, max: 9_000 }),
    // Inspected files may get their share with the lease.
    original_width: fc.option(fc.integer({ min: 100, max: 9_000 })),
    file_size: fc.integer({ min: 20_000, max: 20_000_000 }),
  }),
  fc.record({
    file_type: fc.constant('video' as const),
    format: fc.constant('mp4'),
    duration_seconds: fc.option(fc.integer({ min: 1, max: 600 })),
    file_size: fc.integer({ min: 100_000, max: 900_000_000 }),
  }),
  fc.record({
    file_type: fc.constant('pdf' as const),
    format: fc.constant('pdf'),
    file_size: fc.integer({ min: 1_000, max: 30_000_000 }),
  }),
)
/** How one attempt ends: it fills its share, stays below it, fails, or its worker dies and it restarts. */
const ending = fc.constantFrom('fills', 'fills', 'smaller', 'fails', 'dies' as const)

test('results that fill their shares never exceed the limit, in any order and with any ending (D-19, D-21)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(phoneFile, ending), { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.nat(1_000)),
      async (files, chance) => {
        const { id: order_id } = await testApp.make.order({ brand_id })
        const waiting: { id: number; ending: (typeof files)[number][1] }[] = []
        for (const [file, ending] of files)
          waiting.push({ id: (await testApp.make.evidence({ ...file, order_id })).id, ending })
        await requestAllConversions(ctx, order_id)
        await Promise.all([1, 2, 3].map(() => worker()))
        await expectToFit(order_id)
        // Failed files are tried once more with the remaining budget.
        await requestAllConversions(ctx, order_id)
        for (const { id } of await filesThatAre('converting', order_id)) await convertFully(ctx, id)
        await expectToFit(order_id)

        async function worker() {
          for (;;) {
            const [mine] = waiting.splice((chance.next().value ?? 0) % Math.max(1, waiting.length), 1)
            if (!mine) return
            let lease = await acquireLease(ctx, mine.id)
            let share = await shareOf(ctx, lease)
            if (mine.ending === 'dies') {
              lease = await acquireLease(ctx, mine.id)
              share = await shareOf(ctx, lease)
            }
            await new Promise((resolve) => setTimeout(resolve, (chance.next().value ?? 0) % 5))
            if (mine.ending === 'fails' || !share)
              await failConversion(ctx, mine.id, lease.attempt, 'não coube')
            else await finishWith(ctx, lease, mine.ending === 'smaller' ? Math.ceil(share / 3) : share)
          }
        }
      },
    ),
    { numRuns: 20, endOnFailure: true },
  )
})

const filesThatAre = (status: 'converting' | 'converted', order_id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('status', '=', status)
    .select(['id', 'converted_size'])
    .execute()
const packageBytes = async (order_id: number) =>
  (await filesThatAre('converted', order_id)).reduce((sum, file) => sum + (file.converted_size ?? 0), 0)
async function expectToFit(order_id: number) {
  const { length } = await filesThatAre('converted', order_id)
  expect(await packageBytes(order_id)).toBeLessThanOrEqual(payloadLimit(LIMIT_MB, length))
}

test('a file that comes after the others were converted gets the remaining budget, and no more (D-19)', async () => {
  const { id: order_id } = await testApp.make.order({ brand_id })
  const first = await testApp.make.evidence({ order_id, width: 4_000, height: 3_000, file_size: 9_000_000 })
  await requestAllConversions(ctx, order_id)
  await convertFully(ctx, first.id, 8_000_000)
  const late = await testApp.make.evidence({
    order_id,
    file_type: 'video',
    format: 'mp4',
    duration_seconds: 30,
    file_size: 50_000_000,
  })
  await requestAllConversions(ctx, order_id)
  await convertFully(ctx, late.id)
  const total = await packageBytes(order_id)
  expect(total).toBeGreaterThan(9_000_000)
  expect(total).toBeLessThanOrEqual(payloadLimit(LIMIT_MB, 2))
})

test('a late file without budget fits once all are converted again, as the estimate says beforehand (D-19, D-21)', async () => {
  const { id: order_id } = await testApp.make.order({ brand_id })
  for (let n = 0; n < 2; n++) {
    const photo = { order_id, width: 9_000, height: 9_000, file_size: 20_000_000 }
    const { id } = await testApp.make.evidence(photo)
    await requestAllConversions(ctx, order_id)
    await convertFully(ctx, id, 4_500_000)
  }
  const videoFields = {
    file_type: 'video' as const,
    format: 'mp4',
    duration_seconds: 60,
    file_size: 90_000_000,
  }
  const late = await testApp.make.evidence({ order_id, ...videoFields })
  const promise = async () => {
    const { evidence_files } = await listEvidence(boss.ctx, order_id)
    const seen = evidence_files.map((file) => ({
      ...{ ...file, name: file.original_filename, pixels: (file.width ?? 0) * (file.height ?? 0) || null },
      committed_bytes: file.converted_size,
    }))
    return estimatePackage(seen, LIMIT_MB)
  }
  expect(await promise()).toMatchObject({ fits: false, fitsReconverted: true })
  expect((await promise()).advice[0]).toMatch(/\(1m\) só cabe com até \d+s: corte ou remova$/)
  // Without an explicit request no finished file is converted again.
  await requestAllConversions(ctx, order_id)
  const lease = await acquireLease(ctx, late.id)
  const left = await reserveBudget(ctx, lease)
  expect(longestVideo(left ?? 0)).toBeLessThan(60)
  await failConversion(ctx, late.id, lease.attempt, 'não coube')
  expect(await packageBytes(order_id)).toBe(9_000_000)

  await requestAllConversions(ctx, order_id, true)
  for (const { id } of await filesThatAre('converting', order_id)) await convertFully(ctx, id)
  expect(await filesThatAre('converted', order_id)).toHaveLength(3)
  await expectToFit(order_id)
})

test('a result beyond its share is taken up to the last byte that a package of so many files has (D-19)', async () => {
  const resultOf = async (size: number) => {
    const { id: order_id } = await testApp.make.order({ brand_id })
    const first = await testApp.make.evidence({ order_id })
    await requestAllConversions(ctx, order_id)
    await convertFully(ctx, first.id, 4_000_000)
    const second = await testApp.make.evidence({ order_id })
    await requestAllConversions(ctx, order_id)
    const lease = await acquireLease(ctx, second.id)
    // Nothing is reserved: what the others leave free is all that decides.
    expect(lease.budget_bytes).toBeNull()
    return { isTaken: await finishWith(ctx, lease, size), total: await packageBytes(order_id) }
  }
  const limit = payloadLimit(LIMIT_MB, 2)
  expect(await resultOf(limit - 4_000_000)).toEqual({ isTaken: true, total: limit })
  expect(await resultOf(limit - 4_000_000 + 1)).toEqual({ isTaken: false, total: 4_000_000 })
})

test('a forced conversion gets back the bytes of its own old copy (D-19)', async () => {
  const { id: order_id } = await testApp.make.order({ brand_id })
  const file = await testApp.make.evidence({ order_id, width: 4_000, height: 3_000, file_size: 9_000_000 })
  await requestAllConversions(ctx, order_id)
  await convertFully(ctx, file.id)
  const before = await packageBytes(order_id)
  await requestAllConversions(ctx, order_id, true)
  await convertFully(ctx, file.id)
  expect(await packageBytes(order_id)).toBe(before)
  expect(before).toBeGreaterThan(packageLimit(LIMIT_MB) * 0.9)
})

test('a photo with its full budget reserves it when leased; scarce or estimated budgets are reserved when the work begins (D-19)', async () => {
  const photo = { width: 4_000, height: 3_000, original_width: 4_000, original_height: 3_000 }
  const leaseOf = async (order_id: number, fields: Parameters<typeof testApp.make.evidence>[0]) => {
    const { id } = await testApp.make.evidence({ ...photo, file_size: 2_000_000, ...fields, order_id })
    await requestAllConversions(ctx, order_id)
    return acquireLease(ctx, id)
  }
  const reservedBytes = async ({ evidence_id }: { evidence_id: number }) =>
    (
      await ctx.db
        .selectFrom('evidence_files')
        .where('id', '=', evidence_id)
        .select('budget_bytes')
        .executeTakeFirstOrThrow()
    ).budget_bytes
  const anOrder = async () => (await testApp.make.order({ brand_id })).id

  const roomy = await anOrder()
  const first = await leaseOf(roomy, {})
  expect(first.budget_bytes).toBeGreaterThan(8_000_000)
  expect(await reservedBytes(first)).toBe(first.budget_bytes)
  // The first reserves the whole budget: the second waits until the first's actual size is known.
  const second = await leaseOf(roomy, {})
  expect([second.budget_bytes, await reservedBytes(second)]).toEqual([null, null])
  await finishWith(ctx, first, 1_000_000)
  expect(await shareOf(ctx, second)).toBeGreaterThan(8_000_000)

  const unknown = await leaseOf(await anOrder(), { original_width: null })
  expect([unknown.is_measured, unknown.budget_bytes]).toEqual([false, null])
  const withVideo = await anOrder()
  await testApp.make.evidence({
    order_id: withVideo,
    file_type: 'video',
    format: 'mp4',
    file_size: 3_000_000,
  })
  expect((await leaseOf(withVideo, { file_size: 300_000 })).budget_bytes).toBeNull()
})

test('a file that comes while another has reserved all that is left waits for it, and does not fail (D-19)', async () => {
  const { id: order_id } = await testApp.make.order({ brand_id })
  const photo = { order_id, original_width: 3_000, original_height: 2_000, file_size: 2_000_000 }
  const first = await testApp.make.evidence(photo)
  await requestAllConversions(ctx, order_id)
  const running = await acquireLease(ctx, first.id)
  expect(running.budget_bytes).toBe(payloadLimit(LIMIT_MB, 1))

  const second = await testApp.make.evidence(photo)
  await requestAllConversions(ctx, order_id)
  expect(await shareOf(ctx, await acquireLease(ctx, second.id))).toBeNull()
  expect(await filesThatAre('converting', order_id)).toHaveLength(2)
  const { rows } = await sql`select from graphile_worker.jobs
    where key = ${conversionJobKey(second.id)} and run_at > now() + interval '1 second'`.execute(ctx.db)
  expect(rows).toHaveLength(1)

  await finishWith(ctx, running, 1_500_000)
  const { budget_bytes } = await acquireLease(ctx, second.id)
  expect(budget_bytes).toBe(payloadLimit(LIMIT_MB, 2) - 1_500_000)
})
