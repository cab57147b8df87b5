import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { verifyStorage } from '@garantia/server/features/records/integrity'
import { readConfig } from '@garantia/server/kernel'
import { afterAll, describe, expect, test } from 'vitest'
import { diskStorage } from '../../server/src/kernel/storage/disk.ts'
import { createHashing } from '../../server/src/kernel/storage/hashing.ts'
import { s3Storage } from '../../server/src/kernel/storage/s3.ts'
import { type Storage, StorageFault } from '../../server/src/kernel/storage/storage.ts'
import { badNetwork } from '../support/bad-network.ts'
import { picture } from '../support/make.ts'
import { s3Server } from '../support/s3-server.ts'
import { DOSSIER_KEY, SIGNING_KEY, startTestApp } from '../support/test-app.ts'
import { chunkHeaders, createUpload, TUS } from '../support/tus.ts'

const dir = await mkdtemp(join(tmpdir(), 'garantia-armazem-'))
const service = await s3Server()
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(dir, { recursive: true, force: true })
})

const config = (environment: Record<string, string>) =>
  readConfig({ DATABASE_URL: 'postgres://x', SIGNING_KEY, DOSSIER_KEY, ...environment })
const bucket = (environment: Record<string, string> = {}) => {
  const { s3 } = config({ ...service.environment, ...environment })
  if (!s3) throw new Error('no bucket')
  return s3Storage(s3)
}

let made = 0
async function file(content: Buffer | string) {
  const path = join(dir, `local-${made++}`)
  await writeFile(path, content)
  return path
}
const put = async (storage: Storage, key: string, content: Buffer | string) =>
  storage.moveIn(key, await file(content))
const keysOf = async (storage: Storage, folder?: string) => {
  const keys: string[] = []
  for await (const { key } of storage.list(folder)) keys.push(key)
  return keys.sort()
}
const bytesOf = async (storage: Storage, ...read: Parameters<Storage['read']>) =>
  buffer(await storage.read(...read))

test('a hashing thread that was stopped fails what waited for it, and nothing of the next one', async () => {
  const hashing = createHashing()
  const files = [{ path: await file('foto'), size: 4 }]
  const [expected] = await hashing.hashes(files)
  const waiting = hashing.hashes(files)
  hashing.close()
  await expect(waiting).rejects.toThrow('stopped')
  // The former thread ends in the middle of these.
  for (let n = 0; n < 50; n++) expect(await hashing.hashes(files)).toEqual([expected])
  hashing.close()
})

describe.each([
  ['a folder', async () => diskStorage(join(dir, 'files'))],
  ['a bucket', () => bucket()],
  ['a folder of a bucket', () => bucket({ S3_PREFIX: '/loja/garantia/' })],
] as [string, () => Promise<Storage>][])('storage in %s (INST-7)', async (name, open) => {
  const storage = await open()
  afterAll(() => storage.close())
  /** Larger than one part of a multipart upload. */
  const large = randomBytes((20 << 20) + 17)
  await put(storage, 'os/12/a/original.mp4', large)

  test('moves a file in and returns it byte for byte', async () => {
    const path = await file('foto')
    await storage.moveIn('os/1/b/original.jpg', path)
    await expect(stat(path)).rejects.toThrow('ENOENT')
    expect(String(await bytesOf(storage, 'os/1/b/original.jpg'))).toBe('foto')
    expect(await storage.size('os/1/b/original.jpg')).toBe(4)
    expect((await bytesOf(storage, 'os/12/a/original.mp4')).equals(large)).toBe(true)
    expect(await storage.size('os/12/a/original.mp4')).toBe(large.length)
  })

  test('overwrites an object under the same key, as thumbnails do', async () => {
    await put(storage, 'os/1/c/preview', 'antes')
    await put(storage, 'os/1/c/preview', 'depois')
    expect(String(await bytesOf(storage, 'os/1/c/preview'))).toBe('depois')
  })

  test('reads ranges whose last byte is included', async () => {
    const end = large.length - 1
    for (const [start, last] of [
      [0, 0],
      [5, 9],
      [(8 << 20) - 1, 8 << 20],
      [end, end],
    ] as const) {
      const read = await bytesOf(storage, 'os/12/a/original.mp4', { start, end: last })
      expect(read.equals(large.subarray(start, last + 1))).toBe(true)
    }
  })

  test('reads an open object at any position, in order or not, up to its end', async () => {
    const opened = await storage.open('os/12/a/original.mp4')
    const readBuffer = Buffer.alloc(1 << 20)
    for (const place of [0, 1 << 20, 2 << 20, 7, 12 << 20, 13 << 20, 0]) {
      expect(await opened.read(readBuffer, place)).toBe(readBuffer.length)
      expect(readBuffer.equals(large.subarray(place, place + readBuffer.length))).toBe(true)
    }
    expect(await opened.read(readBuffer, 20 << 20)).toBe(17)
    expect(readBuffer.subarray(0, 17).equals(large.subarray(20 << 20))).toBe(true)
    expect(await opened.read(readBuffer, large.length)).toBe(0)
    expect(await opened.read(readBuffer, large.length + 5)).toBe(0)
    await opened.close()
  })

  test('gives tools a private copy', async () => {
    const copy = join(dir, `copia-${made++}`)
    await storage.fetch('os/12/a/original.mp4', copy)
    expect((await readFile(copy)).equals(large)).toBe(true)
    await writeFile(copy, 'estragada')
    const read = await storage.localPath('os/12/a/original.mp4', join(dir, `outra-${made++}`))
    expect((await readFile(read)).equals(large)).toBe(true)
  })

  test('fails with ENOENT for a missing object, and leaves nothing behind', async () => {
    const missing = 'os/12/a/converted-1'
    const path = join(dir, 'ausente')
    expect(await storage.size(missing)).toBeNull()
    for (const ask of [
      () => storage.read(missing),
      () => storage.read(missing, { start: 3, end: 4 }),
      () => storage.open(missing),
      () => storage.fetch(missing, path),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(stat(path)).rejects.toThrow('ENOENT')
    await expect(storage.moveIn('os/1/d/original.jpg', path)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await storage.size('os/1/d/original.jpg')).toBeNull()
  })

  test('hashes small objects, and none that is missing or of another size', async () => {
    const contents = ['', 'foto', randomBytes(300_000)]
    const objects = contents.map((content, n) => ({ key: `os/5/${n}/original.jpg`, size: content.length }))
    for (const [n, { key }] of objects.entries()) await put(storage, key, contents[n] ?? '')
    const expected = contents.map((content) => createHash('sha256').update(content).digest('hex'))
    expect(await storage.hashes(objects)).toEqual(expected)
    const [empty, photo, noise] = objects
    if (!(empty && photo && noise)) throw new Error('no objects')
    const others = [
      { ...empty, size: 1 },
      { ...photo, size: 3 },
      { ...noise, size: 300_001 },
      { key: 'os/5/9/original.jpg', size: 4 },
    ]
    expect(await storage.hashes([...others, photo])).toEqual([null, null, null, null, expected[1]])
    expect(await storage.hashes([])).toEqual([])
    const [first, second] = await Promise.all([storage.hashes([photo]), storage.hashes([noise, empty])])
    expect([first, second]).toEqual([[expected[1]], [expected[2], expected[0]]])
    await expect(storage.hashes([{ key: '../fora', size: 1 }])).rejects.toThrow(
      'storage key leaves its folder',
    )
  })

  test('removes existing and missing objects', async () => {
    await put(storage, 'os/2/e/original.jpg', 'x')
    await storage.remove('os/2/e/original.jpg')
    await storage.remove('os/2/e/original.jpg')
    expect(await storage.size('os/2/e/original.jpg')).toBeNull()
    expect(await keysOf(storage, 'os/2')).toEqual([])
  })

  test('lists a folder, but not another whose name has it as a prefix', async () => {
    for (const key of ['os/3/a/original.jpg', 'os/3/a/preview', 'os/33/a/original.jpg'])
      await put(storage, key, 'lista')
    expect(await keysOf(storage, 'os/3')).toEqual(['os/3/a/original.jpg', 'os/3/a/preview'])
    expect(await keysOf(storage, 'os/4')).toEqual([])
    const all = await keysOf(storage)
    expect(all).toEqual(expect.arrayContaining(['os/12/a/original.mp4', 'os/33/a/original.jpg']))
    for await (const entry of storage.list('os/33')) {
      expect(entry).toMatchObject({ key: 'os/33/a/original.jpg', size: 5 })
      expect(Math.abs(Date.now() - entry.modified_at.getTime())).toBeLessThan(60_000)
    }
  })

  test('tolerates objects that vanish while they are listed, and lists a bucket in pages of a thousand', async () => {
    const number = name === 'a bucket' ? 1_010 : 10
    const keys = Array.from({ length: number }, (_, n) => `os/5/${n}/original.jpg`)
    for (let from = 0; from < number; from += 50)
      await Promise.all(keys.slice(from, from + 50).map((key) => put(storage, key, 'x')))
    const seen: string[] = []
    for await (const { key } of storage.list('os/5')) {
      if (key.endsWith('5/original.jpg')) await storage.remove(key)
      seen.push(key)
    }
    expect(seen.sort()).toEqual(keys.sort())
    expect(await keysOf(storage, 'os/5')).toHaveLength(number - number / 10)
  })

  test.each(['../fora', '/etc/passwd', 'os/../../fora', '', '..'])(
    'refuses the key «%s», which leaves its folder',
    async (key) => {
      const path = await file('fica')
      for (const asked of [
        storage.moveIn(key, path),
        storage.read(key),
        storage.open(key),
        storage.size(key),
        storage.remove(key),
        storage.fetch(key, join(dir, 'nada')),
      ])
        await expect(asked).rejects.toThrow('leaves its folder')
      expect(String(await readFile(path))).toBe('fica')
    },
  )
})

describe('network failures of the bucket (INST-7)', () => {
  const content = randomBytes(12 << 20)

  test('a broken connection is resumed where it broke', async () => {
    const network = await badNetwork(service.url)
    const storage = await bucket({ S3_ENDPOINT: network.url })
    await put(storage, 'os/7/a/original.mp4', content)
    const opened = await storage.open('os/7/a/original.mp4')
    const stream = await storage.read('os/7/a/original.mp4', { start: 1, end: content.length - 1 })
    const readBuffer = Buffer.alloc(1 << 20)
    for (let place = 0; place < content.length; place += readBuffer.length) {
      if (place % (4 << 20) === 0) {
        network.cut()
        network.restore()
      }
      expect(await opened.read(readBuffer, place)).toBe(readBuffer.length)
      expect(readBuffer.equals(content.subarray(place, place + readBuffer.length))).toBe(true)
    }
    expect((await buffer(stream)).equals(content.subarray(1))).toBe(true)
    await opened.close()
    storage.close()
    await network.close()
  })

  test('an unavailable service is a storage error, never a missing object', async () => {
    const network = await badNetwork(service.url)
    const storage = await bucket({ S3_ENDPOINT: network.url })
    await put(storage, 'os/8/a/original.jpg', 'x')
    const path = await file('fica')
    network.cut()
    const asked = await Promise.allSettled([
      storage.size('os/8/a/original.jpg'),
      storage.read('os/8/a/original.jpg'),
      storage.open('os/8/a/original.jpg'),
      storage.remove('os/8/a/original.jpg'),
      storage.moveIn('os/8/b/original.jpg', path),
      keysOf(storage),
    ])
    for (const one of asked) expect(one).toMatchObject({ reason: expect.any(StorageFault) })
    expect(String(await readFile(path))).toBe('fica')
    network.restore()
    expect(await storage.size('os/8/a/original.jpg')).toBe(1)
    expect(await storage.size('os/8/b/original.jpg')).toBeNull()
    storage.close()
    await network.close()
  })

  test('while the service is unavailable clients get Retry-After, and what they sent is kept', async () => {
    const network = await badNetwork(service.url)
    await using testApp = await startTestApp({
      ...service.environment,
      S3_ENDPOINT: network.url,
      S3_PREFIX: 'fora-do-ar',
    })
    const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
    const file = await testApp.make.converted()
    const content = await picture()
    const path = await createUpload(boss, file.order_id, content.length)
    const authorization = `Bearer ${boss.token}`
    const download = () =>
      testApp.app.inject({ url: `/api/v1/evidence/${file.id}/download`, headers: { authorization } })
    const send = (offset: number, end = content.length) =>
      testApp.app.inject({
        method: 'PATCH',
        url: `/api/v1${path}`,
        headers: { authorization, ...chunkHeaders(offset) },
        payload: content.subarray(offset, end),
      })
    expect((await send(0, 100)).statusCode).toBe(204)
    network.cut()
    for (const answer of [await download(), await send(100)]) {
      expect([answer.statusCode, answer.body]).toEqual([
        503,
        expect.stringContaining('O armazenamento de arquivos está fora do ar.'),
      ])
      expect(answer.headers['retry-after']).toBeDefined()
    }
    network.restore()
    expect((await download()).statusCode).toBe(200)
    const uploadState = await boss.api('HEAD', path, undefined, TUS)
    expect(uploadState.headers['upload-offset']).toBe(String(content.length - 1))
    expect((await send(content.length - 1)).statusCode).toBe(200)
    expect(await verifyStorage(testApp.kernel.ctx)).toMatchObject({ objects: 3, faults: [] })
    await network.close()
  })

  test('a missing bucket or an unreachable address stops the start with the reason', async () => {
    await expect(bucket({ S3_BUCKET: 'outro-balde' })).rejects.toThrow('o bucket «outro-balde»')
    await expect(bucket({ S3_BUCKET: 'outro-balde' })).rejects.toThrow('não existe')
    await expect(bucket({ S3_ENDPOINT: 'http://127.0.0.1:1' })).rejects.toThrow('não responde')
  })
})
