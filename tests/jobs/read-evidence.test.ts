import { readdir, readFile } from 'node:fs/promises'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { startWorker } from '@garantia/worker'
import { expect, test } from 'vitest'
import { photo } from '../support/media.ts'
import { drawPhotos, platePhoto } from '../support/plates.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { createOrderFixture, jobs } from './order-fixture.ts'

const ON = { PHOTO_READING: 'true' }

async function platesAt(testApp: TestApp, ...plates: string[]) {
  const at = await createOrderFixture(testApp)
  const paths = await drawPhotos(
    at.phone,
    plates.map((plate) => platePhoto(plate)),
  )
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  return {
    ...at,
    boss,
    photo: (plate: string) => paths.get(plate) ?? '',
    change: (change: object) => boss.api('PATCH', `/service-orders/${at.order_id}`, change),
    readingOf: async (id: number) =>
      (await at.list()).evidence_files.find((file: EvidenceFile) => file.id === id)?.reading,
  }
}

test('a photo of the plate is read after its upload, and compared with the order as it is by then', async () => {
  await using testApp = await startTestApp(ON)
  const at = await platesAt(testApp, 'BRA2E19')
  await at.change({ vehicle_plate: 'BRA2E19' })
  const { id, reading } = await at.send(at.photo('BRA2E19'), { category: 'placa' })
  expect(reading).toBeNull()
  const worker = await startWorker(testApp.kernel)
  await expect.poll(() => at.readingOf(id)).not.toBeNull()
  expect(await at.readingOf(id)).toMatchObject({ kind: 'plate', verdict: 'match', text: 'BRA2E19' })
  const etag = async () => (await at.boss.api('GET', `/evidence/${at.order_id}/evidence`)).headers.etag
  const before = await etag()
  await at.change({ vehicle_plate: 'BRA2E18' })
  expect(await at.readingOf(id)).toMatchObject({ verdict: 'mismatch', text: 'BRA2E19' })
  expect(await etag()).not.toBe(before)
  await at.change({ vehicle_plate: null })
  expect((await at.boss.api('GET', `/evidence/${id}`)).json().reading).toMatchObject({
    verdict: 'suggestion',
    text: 'BRA2E19',
    engine: expect.stringContaining('PP-OCRv4'),
  })

  // Turned upside down nothing can be read; turned back it is read anew.
  await at.boss.api('PUT', `/evidence/${id}/rotation`, { rotation: 180 })
  expect(await at.readingOf(id)).toBeNull()
  await expect.poll(() => at.readingOf(id)).not.toBeNull()
  expect(await at.readingOf(id)).toMatchObject({ verdict: 'unreadable', text: null })
  // With a category that shows no text there is nothing to say.
  await at.boss.api('PATCH', `/evidence/${id}`, { evidence_category: 'defeito' })
  expect(await at.readingOf(id)).toBeNull()
  await worker.stop()
})

test('what is read in a photo without a category suggests one, which a person gives', {
  tags: ['exhaustive'],
}, async () => {
  await using testApp = await startTestApp(ON)
  const at = await platesAt(testApp, 'BRA2E19')
  await at.change({ vehicle_plate: 'BRA2E19' })
  const { id } = await at.send(at.photo('BRA2E19'))
  const other = await at.send(await photo(at.phone, { name: 'motor' }))
  const worker = await startWorker(testApp.kernel)
  const fileOf = async (wanted: number) =>
    (await at.list()).evidence_files.find((file: EvidenceFile) => file.id === wanted) as EvidenceFile
  const suggested = async () => (await fileOf(id)).suggested_category
  await expect.poll(suggested).toEqual({ category: 'placa', kind: 'plate', text: 'BRA2E19' })
  expect(await at.readingOf(id)).toBeNull()
  await expect
    .poll(async () => (await jobs(testApp)).filter(({ key }) => key?.startsWith('read:')))
    .toEqual([])
  expect(await fileOf(other.id)).toMatchObject({ reading: null, suggested_category: null })
  await at.boss.api('PATCH', `/evidence/${id}`, { evidence_category: 'placa' })
  await expect.poll(() => at.readingOf(id)).toMatchObject({ verdict: 'match', text: 'BRA2E19' })
  expect(await suggested()).toBeNull()
  await worker.stop()
})

test('a reader that is killed in its work loses nothing: the photo is read by the next one', async () => {
  await using testApp = await startTestApp(ON)
  const at = await platesAt(testApp, 'BRA2E19')
  const { id } = await at.send(at.photo('BRA2E19'), { category: 'placa' })
  const worker = await startWorker(testApp.kernel)
  let killed = 0
  await expect
    .poll(
      async () => {
        const reader = killed === 0 ? await readerOf(testApp) : undefined
        if (reader !== undefined) {
          process.kill(reader, 'SIGKILL')
          killed = reader
        }
        return killed
      },
      { interval: 20 },
    )
    .not.toBe(0)
  await expect.poll(() => at.readingOf(id)).toMatchObject({ text: 'BRA2E19' })
  await worker.stop()
  expect((await jobs(testApp)).filter(({ key }) => key?.startsWith('read:'))).toEqual([])
})

/** The process that reads for this test's worker. */
async function readerOf(testApp: TestApp) {
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (name: string) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '')
    const command = (await read('cmdline')).replaceAll('\0', ' ')
    const isDecoder = /^\S*node\S* .*decoder(\/main)?\.[jt]s/.test(command)
    if (isDecoder && (await read('environ')).includes(`HOME=${testApp.dir}`)) {
      // The models are mapped once it works.
      if ((await read('maps')).includes('onnxruntime')) return Number(id)
    }
  }
  return undefined
}

test('where the house has it off nothing is read, and what was read is not shown', async () => {
  await using testApp = await startTestApp({ PHOTO_READING: 'false' })
  const at = await platesAt(testApp, 'BRA2E19')
  const { id } = await at.send(at.photo('BRA2E19'), { category: 'placa' })
  expect((await jobs(testApp)).filter(({ key }) => key?.startsWith('read:'))).toEqual([])
  await testApp.kernel.ctx.db
    .updateTable('evidence_files')
    .set({ reading: JSON.stringify({ kind: 'plate', rotation: 0, found: [], engine: 'test' }) })
    .where('id', '=', id)
    .execute()
  expect(await at.readingOf(id)).toBeNull()
})
