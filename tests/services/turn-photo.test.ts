import { leaseConversion, rotatePhoto } from '@garantia/server/features/evidence/conversion'
import { liveFile, readEvidence } from '@garantia/server/features/evidence/files'
import { afterAll, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { startTestApp } from '../support/test-app.ts'
import { acquireLease, convertFully, finishWith } from './conversion-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const clerk = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Ana' }))
const { ctx } = testApp.kernel
const events = (order_id: number) =>
  ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .select(['kind', 'actor_name', 'changes'])
    .orderBy('id')
    .execute()

test('an unconverted photo is rotated by metadata; its bytes and its status stay (D-21, decisions 49)', async () => {
  const file = await testApp.make.evidence()
  expect(await rotatePhoto(clerk.ctx, file.id, 90)).toMatchObject({ rotation: 90, status: 'pending' })
  expect(await liveFile(ctx, file.id)).toMatchObject({
    sha256: file.sha256,
    original_key: file.original_key,
    file_size: file.file_size,
  })
  expect(await events(file.order_id)).toEqual([
    {
      kind: 'evidence.turned',
      actor_name: 'Ana',
      changes: { evidence_id: file.id, filename: file.original_filename, rotation: [0, 90] },
    },
  ])
  await convertFully(ctx, await requested(file.id), 500)
  expect(await liveFile(ctx, file.id)).toMatchObject({ status: 'converted', rotation: 90 })
})

test('a converted photo is converted again with the angle, by REST and tRPC (D-08)', async () => {
  const transports = {
    trpc: (id: number) => callProcedure(testApp, clerk.token, 'conversion.turn', { id, rotation: 270 }),
    rest: (id: number) => clerk.api('PUT', `/evidence/${id}/rotation`, { rotation: 270 }),
  }
  for (const turn of Object.values(transports)) {
    const file = await testApp.make.converted()
    await turn(file.id)
    expect(await liveFile(ctx, file.id)).toMatchObject({ status: 'converting', rotation: 270 })
    const lease = await acquireLease(ctx, file.id)
    expect(lease.rotation).toBe(270)
    expect(await finishWith(ctx, lease, 700)).toBe(true)
    expect(await liveFile(ctx, file.id)).toMatchObject({ status: 'converted', converted_size: 700 })
    expect((await events(file.order_id)).map(({ kind }) => kind)).toEqual([
      'evidence.turned',
      'conversion.requested',
      'status',
      'evidence.converted',
      'status',
    ])
  }
})

test('a photo rotated while it is converted ends with the newest angle: the running attempt is discarded', async () => {
  const file = await testApp.make.evidence()
  const running = await acquireLease(ctx, await requested(file.id))
  await rotatePhoto(clerk.ctx, file.id, 90)
  await rotatePhoto(clerk.ctx, file.id, 180)
  expect(await finishWith(ctx, running, 400)).toBe(false)
  const next = await acquireLease(ctx, file.id)
  expect([next.rotation, next.attempt > running.attempt]).toEqual([180, true])
  expect(await finishWith(ctx, next, 300)).toBe(true)
  expect(await liveFile(ctx, file.id)).toMatchObject({ status: 'converted', converted_size: 300 })
  expect(await leaseConversion(ctx, file.id)).toBeNull()
})

test('the same angle twice rotates once and records one event', async () => {
  const file = await testApp.make.converted({ rotation: 180 })
  await rotatePhoto(clerk.ctx, file.id, 180)
  expect(await liveFile(ctx, file.id)).toMatchObject({ status: 'converted' })
  expect(await events(file.order_id)).toEqual([])
})

test('closed orders, videos and invalid angles are refused (STA-13)', async () => {
  const { id: order_id } = await testApp.make.order({ status: 'completed' })
  const closed = await testApp.make.converted({ order_id })
  await expect(rotatePhoto(clerk.ctx, closed.id, 90)).rejects.toMatchObject({
    code: 'conflict',
    detail: 'OS concluída ou cancelada não pode ser editada',
  })
  const videoFile = await testApp.make.evidence({ file_type: 'video', format: 'mp4' })
  await expect(rotatePhoto(clerk.ctx, videoFile.id, 90)).rejects.toMatchObject({
    code: 'rule',
    detail: 'Só fotos podem ser giradas.',
  })
  const photo = await testApp.make.evidence()
  const odd = await clerk.api('PUT', `/evidence/${photo.id}/rotation`, { rotation: 45 })
  expect([odd.statusCode, odd.json().detail[0].msg]).toEqual([422, 'O giro deve ser 0, 90, 180 ou 270 graus'])
})

test('one file returns who uploaded it, when, and its camera metadata, but never the location (ENT-16)', async () => {
  const person = await testApp.make.user({ full_name: 'Rui' })
  const file = await testApp.make.converted({
    uploaded_by: person.id,
    camera: 'Apple iPhone 15',
    orientation: 6,
    has_location: true,
    original_width: 3024,
    original_height: 4032,
    captured_at: new Date('2026-11-20T13:00:00Z'),
  })
  const detail = (await clerk.api('GET', `/evidence/${file.id}`)).json()
  expect(detail).toEqual(JSON.parse(JSON.stringify(await readEvidence(clerk.ctx, file.id))))
  expect(detail).toMatchObject({
    uploaded_by_name: 'Rui',
    captured_at: '2026-11-20T13:00:00.000Z',
    camera: 'Apple iPhone 15',
    orientation: 6,
    has_location: true,
    keeps_location: false,
    original_width: 3024,
    original_height: 4032,
    sha256: file.sha256,
    converted_sha256: file.converted_sha256,
  })
  expect(Object.keys(detail).filter((name) => /lat|long|gps/i.test(name))).toEqual([])
})

async function requested(id: number) {
  expect((await clerk.api('POST', `/evidence-conversion/${id}/convert`)).statusCode).toBe(200)
  return id
}
