import { mkdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeOrphans, verifyStorage } from '@garantia/server/features/records/integrity'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel

const pathOf = (key: string | null) => join(testApp.dir, 'files', key ?? '')
const orphan = async (key: string, hours: number) => {
  await mkdir(dirname(pathOf(key)), { recursive: true })
  await writeFile(pathOf(key), 'de ninguém')
  const at = new Date(Date.now() - hours * 3_600_000)
  await utimes(pathOf(key), at, at)
}
const found = async (deep = true) =>
  (await verifyStorage(ctx, { deep })).faults.map(({ kind, key }) => `${kind} ${key}`).sort()

test('promise 21: missing, changed and orphan objects are found, each as what it is', async () => {
  const whole = await testApp.make.converted({}, Buffer.from('inteiro'))
  const [gone, cut, changed, binned] = [
    await testApp.make.converted(),
    await testApp.make.converted(),
    await testApp.make.converted({}, Buffer.from('aaaaaaaa')),
    await testApp.make.converted({ deleted_at: new Date() }),
  ]
  const clean = await verifyStorage(ctx)
  expect(clean).toMatchObject({ orders: 5, objects: 10, faults: [] })
  expect(clean.bytes).toBeGreaterThan(whole.file_size)

  await rm(pathOf(gone.original_key))
  await rm(pathOf(binned.converted_key), { force: true })
  await truncate(pathOf(cut.converted_key), 3)
  await rm(pathOf(changed.converted_key), { force: true })
  await writeFile(pathOf(changed.converted_key), 'aaaabaaa')
  const folder = dirname(whole.original_key)
  await orphan(`${folder}/converted-7`, 2)
  await orphan('os/999999/x/original.jpg', 2)
  await orphan('solto', 2)
  // Too new to be an orphan: its row may still be written.
  await orphan(`${folder}/converted-8`, 0)
  const orphans = [`orphan ${folder}/converted-7`, 'orphan os/999999/x/original.jpg', 'orphan solto']
  const sized = [
    `missing ${gone.original_key}`,
    `missing ${binned.converted_key}`,
    `mismatch ${cut.converted_key}`,
    ...orphans,
  ]
  expect(await found()).toEqual([...sized, `mismatch ${changed.converted_key}`].sort())
  expect(await found(false)).toEqual([...sized].sort())

  expect(await removeOrphans(ctx)).toEqual({ objects: 3, bytes: 3 * Buffer.byteLength('de ninguém') })
  expect((await found()).filter((line) => line.startsWith('orphan'))).toEqual([])
  expect(await ctx.storage.size(`${folder}/converted-8`)).not.toBeNull()
  expect(await ctx.storage.size(whole.converted_key ?? '')).not.toBeNull()
})

test('an empty storage without any order has nothing to report', async () => {
  await using empty = await startTestApp()
  expect(await verifyStorage(empty.kernel.ctx)).toEqual({ orders: 0, objects: 0, bytes: 0, faults: [] })
})
