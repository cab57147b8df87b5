import { packageLimit } from '@garantia/shared/evidence/budget'
import { startWorker } from '@garantia/worker'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { isExhaustive } from '../support/exhaustive.ts'
import * as media from '../support/media.ts'
import { startTestApp } from '../support/test-app.ts'
import { CONVERSION_TIMEOUT_MS, createOrderFixture, jobs, leftovers, storedFiles } from './order-fixture.ts'

test("files of a phone become a package that meets the brand's rules", {
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const { phone, order_id, ...at } = await createOrderFixture(testApp, {
    max_file_size_mb: 10,
    max_video_count: 5,
  })
  const clip = {
    seconds: 8,
    noise: 20,
    rotated: true,
    codec: 'hevc',
    container: 'mov',
  } as const
  const sent = [
    await at.send(await media.photo(phone, { name: 'camera', width: 2400, height: 600, noise: 120 }), {
      category: 'defeito',
    }),
    await at.send(
      await media.photo(phone, { name: 'retrato', width: 900, height: 1200, orientation: 6, gps: true }),
    ),
    await at.send(await media.photo(phone, { name: 'captura', format: 'png' }), { category: 'odometro' }),
    await at.send(await (isExhaustive ? media.iphoneHeic : media.rotatedHeic)(phone)),
    await at.send(await media.pdf(phone, { photo: { width: 800, height: 600 } })),
    await at.send(await media.video(phone, clip), { category: 'teste' }),
  ]
  const worker = await startWorker(testApp.kernel)
  expect((await at.convertAll()).json()).toMatchObject({ total_files: 6 })
  const steps: number[] = []
  const done = await at.waitUntilConverted(({ evidence_files }) => {
    const { progress } = evidence_files.find(({ id }) => id === sent[5]?.id) ?? {}
    if (progress !== undefined && progress !== steps.at(-1)) steps.push(progress)
  })
  await worker.stop()

  expect(done.evidence_files.map(({ status, error }) => [status, error])).toEqual(
    Array(6).fill(['converted', null]),
  )
  expect(done.evidence_files.map(({ id }) => id)).toEqual(sent.map(({ id }) => id))
  expect(done.evidence_files.map(({ pages }) => pages)).toEqual([null, null, null, null, 2, null])
  expect(done.package_bytes).toBeLessThanOrEqual(packageLimit(10))
  expect(await at.order()).toMatchObject({ status: 'ready', conversion_status: 'available' })

  const files = await storedFiles(testApp)
  for (const { row, objects, isOriginalUntouched, isAsRecorded } of files)
    expect([row.original_filename, objects.length, isOriginalUntouched, isAsRecorded]).toEqual([
      row.original_filename,
      2,
      true,
      true,
    ])
  const [camera, portrait, screenshot, heic, , video] = files
  for (const photo of [camera, portrait, screenshot, heic]) {
    // The quality was judged when the thumbnail was made (D-23 V12, V13).
    expect(photo?.row).toMatchObject({
      sharpness: expect.any(Number),
      perceptual_hash: expect.stringMatching(/^[01]{64}$/),
    })
    const { format, width = 0, height = 0, exif } = await sharp(photo?.path).metadata()
    expect([format, Math.max(width, height) <= 2_048]).toEqual(['jpeg', true])
    expect(exif?.includes('GPS') ?? false).toBe(false)
  }
  for (const photo of [camera, portrait, screenshot])
    expect(await media.quadrantColours(photo?.path ?? '')).toBe(media.UPRIGHT)

  const { streams, format } = await media.ffprobe(video?.path ?? '')
  expect(streams.map(({ codec_name }) => codec_name).sort()).toEqual(['aac', 'h264'])
  expect(streams.find(({ codec_type }) => codec_type === 'video')).toMatchObject({ width: 640, height: 360 })
  expect(Number(format.duration)).toBeCloseTo(8, 0)
  expect(await media.startsFast(video?.path ?? '')).toBe(true)

  expect(steps.filter((percent) => percent > 0 && percent < 100).length).toBeGreaterThanOrEqual(2)
  // It rises and restarts once at most: for the re-encode pass, when the others left part of the budget.
  const falls = steps.filter((percent, n) => percent < (steps[n - 1] ?? 0))
  expect([[], [0]]).toContainEqual(falls)
  expect(done.evidence_files.filter(({ thumbnail_url }) => thumbnail_url)).toHaveLength(5)
  expect([await jobs(testApp), await leftovers(testApp)]).toEqual([[], []])
})

test('invalid files fail with a Portuguese reason and do not block other files', {
  tags: ['exhaustive'],
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const { phone, ...at } = await createOrderFixture(testApp)
  const whole = await media.photo(phone, { name: 'inteira' })
  const videoFile = await media.video(phone, { seconds: 2, width: 320, height: 180, fps: 10 })
  const bad = [
    await at.send(await media.truncated(phone, whole, 'cortada.jpg')),
    await at.send(await media.truncated(phone, videoFile, 'cortado.mp4', 0.4)),
    await at.send(await media.pdf(phone, { name: 'trancado', password: 'segredo' })),
    await at.send(
      await media.truncated(phone, await media.pdf(phone, { name: 'rasgado' }), 'rasgado.pdf', 0.5),
    ),
  ]
  const good = [
    await at.send(whole),
    await at.send(videoFile),
    await at.send(await media.pdf(phone, { name: 'bom' })),
  ]
  const worker = await startWorker(testApp.kernel)
  await at.convertAll()
  const { evidence_files } = await at.waitUntilConverted()
  await worker.stop()
  const byId = new Map(evidence_files.map((file) => [file.id, file]))
  for (const { id, original_filename } of good)
    expect([original_filename, byId.get(id)?.status]).toEqual([original_filename, 'converted'])
  // A locked PDF within its share is packaged unchanged; every other file here cannot be repaired.
  for (const { id, original_filename } of bad.filter((file) => file.original_filename !== 'trancado.pdf')) {
    const file = byId.get(id)
    expect([original_filename, file?.status]).toEqual([original_filename, 'failed'])
    expect(file?.error).toMatch(/^(A imagem|O vídeo|O PDF) .*(danificad[ao]|incompleto|lido)/)
  }
  expect(await at.order()).toMatchObject({ status: 'pending_upload', conversion_status: 'failed' })
  expect([await jobs(testApp), await leftovers(testApp)]).toEqual([[], []])
})

test('a video that cannot fit is refused with the longest possible length, and the photos use their share (D-21)', {
  tags: ['exhaustive'],
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const { phone, ...at } = await createOrderFixture(testApp, { max_file_size_mb: 1 })
  const photo = await at.send(await media.photo(phone))
  const videoFile = await at.send(
    await media.video(phone, { seconds: 60, fps: 2, width: 320, height: 180, noise: 90, codec: 'mpeg4' }),
  )
  const worker = await startWorker(testApp.kernel)
  await at.convertAll()
  const { evidence_files, package_bytes } = await at.waitUntilConverted()
  await worker.stop()
  const byId = new Map(evidence_files.map((file) => [file.id, file]))
  expect(byId.get(photo.id)?.status).toBe('converted')
  expect(byId.get(videoFile.id)?.error).toMatch(/^Vídeo de 1m só cabe com até \d+s: corte ou remova$/)
  expect(package_bytes).toBeLessThanOrEqual(packageLimit(1))
})

test('a photo over-compressed beside a video that needed little is re-encoded with better quality', {
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const { phone, ...at } = await createOrderFixture(testApp, { max_file_size_mb: 1 })
  const photo = await at.send(await media.photo(phone, { width: 1600, height: 1200, noise: 120 }))
  const still = { width: 320, height: 180, fps: 10, noise: 2, codec: 'mjpeg', sound: 'pcm' } as const
  await at.send(await media.video(phone, { ...still, container: 'avi', seconds: 16 }))
  // Before a worker has inspected the video: a plan with an estimated length would leave it out.
  await at.convertAll()
  const worker = await startWorker(testApp.kernel)
  const { evidence_files, package_bytes } = await at.waitUntilConverted()
  await worker.stop()
  expect(evidence_files.map(({ status, error }) => error ?? status)).toEqual(['converted', 'converted'])
  const copies = await testApp.kernel.ctx.db
    .selectFrom('events')
    .where('kind', '=', 'evidence.converted')
    .select('changes')
    .orderBy('id')
    .execute()
  const sizes = copies
    .map(({ changes }) => changes as { evidence_id: number; size: number })
    .flatMap(({ evidence_id, size }) => (evidence_id === photo.id ? size : []))
  expect(sizes).toHaveLength(2)
  expect(sizes[1]).toBeGreaterThan(1.5 * (sizes[0] ?? 0))
  expect(package_bytes).toBeGreaterThan(packageLimit(1) * 0.7)
  expect(package_bytes).toBeLessThanOrEqual(packageLimit(1))
  for (const { objects, isAsRecorded, isOriginalUntouched } of await storedFiles(testApp))
    expect([objects.length, isAsRecorded, isOriginalUntouched]).toEqual([2, true, true])
  expect(await at.order()).toMatchObject({ status: 'ready' })
  expect([await jobs(testApp), await leftovers(testApp)]).toEqual([[], []])
})
