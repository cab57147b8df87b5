import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  leaseConversion,
  markPhoto,
  requestConversion,
  rotatePhoto,
} from '@garantia/server/features/evidence/conversion'
import { liveFile } from '@garantia/server/features/evidence/files'
import { withdrawConversions } from '@garantia/server/features/orders/order'
import { verifyStorage } from '@garantia/server/features/records/integrity'
import { emptyBin } from '@garantia/server/features/records/retention'
import { MARKED_MEANWHILE, type Mark } from '@garantia/shared/evidence/marks'
import { afterAll, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { startTestApp } from '../support/test-app.ts'
import { acquireLease, finishWith } from './conversion-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const clerk = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Ana' }))
const { ctx } = testApp.kernel

const COVER: Mark = { kind: 'cover', box: { left: 0.1, top: 0.2, width: 0.3, height: 0.1 } }
const ARROW: Mark = { kind: 'arrow', from: { x: 0.1, y: 0.1 }, to: { x: 0.4, y: 0.5 } }
const bytesOf = async (id: number) => {
  const { converted_key } = (await liveFile(ctx, id)) ?? {}
  return readFileSync(join(testApp.dir, 'files', converted_key ?? ''))
}
const kinds = async (order_id: number) =>
  (
    await ctx.db
      .selectFrom('events')
      .where('subject', '=', 'order')
      .where('subject_id', '=', order_id)
      .select(['kind', 'changes'])
      .orderBy('id')
      .execute()
  ).filter(({ kind }) => kind === 'evidence.marked')

let made = 0
/** A photo whose copy is stored, of other bytes than each other one's. */
const convertedPhoto = () => testApp.make.converted({ attempt: 1 }, Buffer.from(`cópia ${made++}`))

/** What is stored of a photo, and that nothing is missing. */
async function storedOf({ original_key }: { original_key: string }) {
  expect((await verifyStorage(ctx, { deep: false })).faults).toEqual([])
  return readdirSync(join(testApp.dir, 'files', dirname(original_key))).sort()
}

test('a photo is converted with its marks, and without them has its former copy, byte for byte, by REST and tRPC', async () => {
  const transports = {
    trpc: (id: number, marks: Mark[]) =>
      callProcedure(testApp, clerk.token, 'conversion.mark', { id, marks }),
    rest: (id: number, marks: Mark[]) => clerk.api('PUT', `/evidence/${id}/marks`, { marks }),
  }
  for (const mark of Object.values(transports)) {
    const file = await convertedPhoto()
    const [before, former, stored] = [
      await liveFile(ctx, file.id),
      await bytesOf(file.id),
      await storedOf(file),
    ]
    await mark(file.id, [COVER])
    expect(await liveFile(ctx, file.id)).toMatchObject({ status: 'converting', sha256: file.sha256 })
    const lease = await acquireLease(ctx, file.id)
    expect(lease.marks).toEqual([COVER])
    expect(await finishWith(ctx, lease, 700)).toBe(true)
    expect((await clerk.api('GET', `/evidence/${file.id}`)).json()).toMatchObject({
      status: 'converted',
      converted_size: 700,
      marks: [COVER],
    })
    // Another mark: what is kept is the copy from before the first.
    await mark(file.id, [COVER, ARROW])
    expect(await finishWith(ctx, await acquireLease(ctx, file.id), 750)).toBe(true)
    expect(await storedOf(file)).toHaveLength(stored.length + 1)

    await mark(file.id, [])
    const after = await liveFile(ctx, file.id)
    expect(after).toMatchObject({
      status: 'converted',
      marks: null,
      converted_key: before?.converted_key,
      converted_sha256: before?.converted_sha256,
    })
    expect(await bytesOf(file.id)).toEqual(former)
    expect(await storedOf(file)).toEqual(stored)
    expect(await ctx.db.selectFrom('unmarked_copies').selectAll().execute()).toEqual([])
    expect((await kinds(file.order_id)).map(({ changes }) => changes)).toEqual(
      [
        [[], [COVER]],
        [[COVER], [COVER, ARROW]],
        [[COVER, ARROW], []],
      ].map((marks) => ({ evidence_id: file.id, filename: file.original_filename, marks })),
    )
  }
})

test('marks removed while the copy is being made bring the former one back at once; the running attempt is discarded', async () => {
  const file = await convertedPhoto()
  const [former, stored] = [await bytesOf(file.id), await storedOf(file)]
  await markPhoto(clerk.ctx, file.id, { marks: [ARROW] })
  const running = await acquireLease(ctx, file.id)
  await markPhoto(clerk.ctx, file.id, { marks: [] })
  expect(await liveFile(ctx, file.id)).toMatchObject({ status: 'converted', progress: 100 })
  expect(await finishWith(ctx, running, 300)).toBe(false)
  expect(await bytesOf(file.id)).toEqual(former)
  expect(await storedOf(file)).toEqual(stored)
})

test('a kept copy that is turned otherwise, or that the brand takes no more, is not brought back', async () => {
  const turned = await convertedPhoto()
  const large = await convertedPhoto()
  const others = await convertedPhoto()
  for (const { id } of [turned, large, others]) await markPhoto(clerk.ctx, id, { marks: [ARROW] })
  await rotatePhoto(clerk.ctx, turned.id, 90)
  const change = (id: number, kept: { size?: number; format?: string }) =>
    ctx.db.updateTable('unmarked_copies').set(kept).where('evidence_id', '=', id).execute()
  await change(large.id, { size: 900_000_000_000 })
  await change(others.id, { format: 'webp' })
  for (const { id } of [turned, large, others]) {
    await markPhoto(clerk.ctx, id, { marks: [] })
    const lease = await acquireLease(ctx, id)
    expect(lease.marks).toEqual([])
    expect(await finishWith(ctx, lease, 640)).toBe(true)
    expect(await liveFile(ctx, id)).toMatchObject({ status: 'converted', converted_size: 640 })
  }
  expect(await ctx.db.selectFrom('unmarked_copies').selectAll().execute()).toEqual([])
  for (const file of [turned, large, others]) expect(await storedOf(file)).toHaveLength(2)
})

test('a kept copy with the place where it was taken is not brought back when the brand wants it no more', async () => {
  const file = await convertedPhoto()
  const { brand_id } = await ctx.db
    .selectFrom('service_orders')
    .where('id', '=', file.order_id)
    .select('brand_id')
    .executeTakeFirstOrThrow()
  const keepLocation = (keep_gps: boolean) =>
    ctx.db.updateTable('brands').set({ keep_gps }).where('id', '=', brand_id).execute()
  await keepLocation(true)
  await markPhoto(clerk.ctx, file.id, { marks: [ARROW] })
  await keepLocation(false)
  await markPhoto(clerk.ctx, file.id, { marks: [] })
  expect(await liveFile(ctx, file.id)).toMatchObject({ status: 'converting' })
})

test('an order that is cancelled before the covered copy is made has no copy until it is made', async () => {
  const [covered, turned, plain] = [await convertedPhoto(), await convertedPhoto(), await convertedPhoto()]
  await markPhoto(clerk.ctx, covered.id, { marks: [COVER] })
  await rotatePhoto(clerk.ctx, turned.id, 90)
  await requestConversion(clerk.ctx, plain.id, true)
  for (const [{ id, order_id }, status, has_copy] of [
    [covered, 'pending', false],
    [turned, 'pending', false],
    [plain, 'converted', true],
  ] as const) {
    await acquireLease(ctx, id)
    await withdrawConversions(ctx, order_id)
    const known = (await clerk.api('GET', `/evidence/${id}`)).json()
    expect([known.status, known.converted_url !== null]).toEqual([status, has_copy])
  }
  await markPhoto(clerk.ctx, covered.id, { marks: [] })
})

test('marks that changed meanwhile are not overwritten', async () => {
  const { id } = await testApp.make.evidence()
  await markPhoto(clerk.ctx, id, { marks: [COVER], seen_marks: [] })
  const put = (marks: Mark[], seen_marks: Mark[]) =>
    clerk.api('PUT', `/evidence/${id}/marks`, { marks, seen_marks })
  const refused = await put([ARROW], [])
  expect([refused.statusCode, refused.json().detail]).toEqual([409, MARKED_MEANWHILE])
  expect((await put([COVER, ARROW], [COVER])).json()).toMatchObject({ marks: [COVER, ARROW] })
  // The same request again, after its answer was lost.
  expect((await put([COVER, ARROW], [COVER])).statusCode).toBe(200)
})

test('a photo whose marks cannot be read is not converted without them, and is mended by removing them', async () => {
  const file = await convertedPhoto()
  await markPhoto(clerk.ctx, file.id, { marks: [COVER] })
  const unreadable = JSON.stringify([COVER, { kind: 'star' }])
  await ctx.db.updateTable('evidence_files').set({ marks: unreadable }).where('id', '=', file.id).execute()
  expect(await leaseConversion(ctx, file.id)).toBeNull()
  expect((await clerk.api('GET', `/evidence/${file.id}`)).json()).toMatchObject({
    status: 'failed',
    error: 'As marcas da foto não puderam ser lidas. Remova-as e marque de novo.',
  })
  await markPhoto(clerk.ctx, file.id, { marks: [] })
  expect(await liveFile(ctx, file.id)).toMatchObject({ status: 'converted', marks: null })
})

test('a copy that is the only one in a second conversion is kept too', async () => {
  const file = await convertedPhoto()
  const former = await bytesOf(file.id)
  await ctx.db
    .updateTable('evidence_files')
    .set({ status: 'converting', is_reencode_pass: true })
    .where('id', '=', file.id)
    .execute()
  await markPhoto(clerk.ctx, file.id, { marks: [COVER] })
  expect(await finishWith(ctx, await acquireLease(ctx, file.id), 700)).toBe(true)
  await markPhoto(clerk.ctx, file.id, { marks: [] })
  expect(await bytesOf(file.id)).toEqual(former)
})

test('deleting a marked photo for good, or the end of its retention, removes the kept copy too', async () => {
  const file = await convertedPhoto()
  await markPhoto(clerk.ctx, file.id, { marks: [ARROW] })
  await finishWith(ctx, await acquireLease(ctx, file.id), 700)
  const long_ago = new Date('2020-01-01')
  await ctx.db.updateTable('evidence_files').set({ deleted_at: long_ago }).where('id', '=', file.id).execute()
  await emptyBin(ctx)
  expect(await ctx.db.selectFrom('unmarked_copies').selectAll().execute()).toEqual([])
  expect(existsSync(join(testApp.dir, 'files', dirname(file.original_key)))).toBe(false)
})

test('an unconverted photo is marked by metadata; the same marks twice are one event', async () => {
  const file = await testApp.make.evidence()
  for (let times = 0; times < 2; times++)
    expect(await markPhoto(clerk.ctx, file.id, { marks: [COVER] })).toMatchObject({
      marks: [COVER],
      status: 'pending',
    })
  expect(await kinds(file.order_id)).toHaveLength(1)
})

test('closed orders, videos and impossible marks are refused', async () => {
  const { id: order_id } = await testApp.make.order({ status: 'completed' })
  const closed = await testApp.make.converted({ order_id })
  await expect(markPhoto(clerk.ctx, closed.id, { marks: [COVER] })).rejects.toMatchObject({
    code: 'conflict',
  })
  const video = await testApp.make.evidence({ file_type: 'video', format: 'mp4' })
  await expect(markPhoto(clerk.ctx, video.id, { marks: [COVER] })).rejects.toMatchObject({
    code: 'rule',
    detail: 'Só fotos podem ser marcadas.',
  })
  const { id } = await testApp.make.evidence()
  const text = (value: string) => ({ kind: 'text', at: { x: 0.5, y: 0.5 }, text: value })
  for (const [marks, said] of [
    [[{ kind: 'star' }], 'Marca desconhecida'],
    [[{ ...COVER, box: { left: 0.9, top: 0, width: 0.2, height: 0.1 } }], 'Fora da foto, ou pequena demais'],
    [[{ ...COVER, box: { left: 0, top: 0, width: 0, height: 0.1 } }], 'Fora da foto, ou pequena demais'],
    [[{ ...ARROW, to: { x: 1.2, y: 0 } }], 'Fora da foto'],
    [[{ ...ARROW, to: ARROW.from }], 'Fora da foto, ou pequena demais'],
    [[text('🚗')], 'Figuras não podem ser desenhadas na foto'],
    [[text(' ')], 'Escreva o texto'],
    [[text('x'.repeat(61))], 'Máximo de 60 caracteres'],
    [[text('a\u0007b')], 'Contém caracteres inválidos'],
    [Array.from({ length: 31 }, () => ARROW), 'Máximo de 30 marcas por foto'],
  ] as const) {
    const answer = await clerk.api('PUT', `/evidence/${id}/marks`, { marks })
    expect([answer.statusCode, answer.json().detail[0].msg]).toEqual([422, said])
  }
})
