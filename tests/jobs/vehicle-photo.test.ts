import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  forgetOldVehiclePhotos,
  readVehiclePhoto,
  sendVehiclePhoto,
} from '@garantia/server/features/orders/vehicle-photo'
import { VEHICLE_PHOTO_BYTES, vehiclePhoto } from '@garantia/shared/orders/vehicle-photo'
import { startWorker } from '@garantia/worker'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawPhotos, labelPhoto, platePhoto } from '../support/plates.ts'
import { startTestApp } from '../support/test-app.ts'
import { jobs } from './order-fixture.ts'

const testApp = await startTestApp({ PHOTO_READING: 'true' })
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const company = await testApp.make.company()
const ana = (await testApp.as(await testApp.make.user({ company_id: company.id }))).ctx
const admin = (await testApp.as(await testApp.make.user({ is_superuser: true }))).ctx

let photos: Map<string, string>
beforeAll(async () => {
  const phone = join(testApp.dir, 'telefone')
  await mkdir(phone)
  photos = await drawPhotos(phone, [platePhoto('BRA2E19'), labelPhoto('48.250 km')])
})

const photoOf = (name: string) => readFile(photos.get(name) ?? '')
const send = async (jpeg: Buffer) => (await sendVehiclePhoto(ana, jpeg.toString('base64'))).id
const rows = () => ctx.db.selectFrom('vehicle_photos').select(['id', 'content']).execute()

test('what a photo shows is read for an order that does not exist yet, and its picture goes', async () => {
  const plate = await send(await photoOf('BRA2E19'))
  const mileage = await send(await photoOf('48.250 km'))
  const torn = await send((await sharp(await photoOf('BRA2E19')).toBuffer()).subarray(0, 300))
  expect(await readVehiclePhoto(ana, plate)).toBeNull()
  await expect(readVehiclePhoto(admin, plate)).rejects.toMatchObject({ code: 'not_found' })
  const worker = await startWorker(testApp.kernel)
  const expected = [
    [plate, { texts: [{ kind: 'plate', text: 'BRA2E19' }], category: 'placa' }],
    [mileage, { texts: [{ kind: 'odometer', text: '48250' }], category: null }],
    [torn, { texts: [], category: null }],
  ] as const
  for (const [id, reading] of expected) await expect.poll(() => readVehiclePhoto(ana, id)).toEqual(reading)
  await worker.stop()
  expect((await rows()).map(({ content }) => content)).toEqual([null, null, null])
})

test('only a JPEG that fits is taken', async () => {
  for (const jpeg of ['', 'AAAA', Buffer.from('<svg/>').toString('base64')])
    await expect(sendVehiclePhoto(ana, jpeg)).rejects.toMatchObject({
      detail: [expect.objectContaining({ msg: 'O arquivo não é uma foto em JPEG.' })],
    })
  expect(vehiclePhoto.safeParse({ jpeg: 'A'.repeat(VEHICLE_PHOTO_BYTES) }).success).toBe(true)
  expect(vehiclePhoto.safeParse({ jpeg: 'A'.repeat(VEHICLE_PHOTO_BYTES * 1.4) }).success).toBe(false)
})

test('whoever signed up alone has no photo read', async () => {
  const alone = await testApp.as(await testApp.make.user({ role: 'technician', company_id: null }))
  await expect(
    sendVehiclePhoto(alone.ctx, (await photoOf('BRA2E19')).toString('base64')),
  ).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect((await jobs(testApp)).filter(({ key }) => key?.startsWith('vehicle-photo'))).toEqual([])
})

test('twenty of a person may wait to be read', async () => {
  const jpeg = await photoOf('BRA2E19')
  const waiting = Array.from({ length: 20 }, () => ({
    user_id: (ana.actor as { id: number }).id,
    content: jpeg,
    created_at: ctx.clock(),
  }))
  await ctx.db.insertInto('vehicle_photos').values(waiting).execute()
  await expect(send(jpeg)).rejects.toMatchObject({ code: 'too_many' })
  await ctx.db.deleteFrom('vehicle_photos').execute()
})

test('after an hour nothing of a photo is left, read or not', async () => {
  const id = await send(await photoOf('BRA2E19'))
  await forgetOldVehiclePhotos(ctx)
  expect(await rows()).toContainEqual({ id, content: expect.any(Buffer) })
  await forgetOldVehiclePhotos({ ...ctx, clock: () => new Date(ctx.clock().getTime() + 3_700_000) })
  expect(await rows()).toEqual([])
  await expect(readVehiclePhoto(ana, id)).rejects.toMatchObject({ code: 'not_found' })
  expect((await jobs(testApp)).filter(({ key }) => key?.startsWith('vehicle-photo'))).toEqual([])
})
