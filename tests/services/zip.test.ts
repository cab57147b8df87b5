import { execFile } from 'node:child_process'
import { open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Storage } from '../../server/src/kernel/storage/storage.ts'
import { startLayout, type ZipEntry } from '../../server/src/kernel/zip.ts'
import { readZip } from '../../server/src/kernel/zip-read.ts'

const run = promisify(execFile)
const at = new Date('2026-11-21T15:00:01Z')
const BLOCK = Buffer.alloc(1 << 20)

/** Objects of zeros, as long as their key says: gigabytes without disk space. */
function zeros(hooks: { opened?: () => void; closed?: () => void } = {}): Storage {
  const never = () => Promise.reject(new Error('not asked for'))
  return {
    ...({ adopt: never, fetch: never, remove: never, list: never } as object),
    size: async (key: string) => Number(key),
    async open(key: string) {
      hooks.opened?.()
      return {
        async read(into: Buffer, position: number) {
          const size = Math.min(into.length, Number(key) - position)
          into.fill(0, 0, size)
          return size
        },
        close: async () => hooks.closed?.(),
      }
    },
  } as Storage
}
function crcOfZeros(size: number) {
  let crc = 0
  for (let left = size; left > 0; left -= BLOCK.length)
    crc = crc32(BLOCK.subarray(0, Math.min(left, BLOCK.length)), crc)
  return crc
}
function layOut(entries: readonly ZipEntry[]) {
  const layout = startLayout()
  for (const entry of entries) layout.add(entry)
  return layout.end()
}
const stored = (name: string, size: number): ZipEntry => ({
  name,
  at,
  size,
  crc32: crcOfZeros(size),
  source: String(size),
})
const text = (name: string, words: string): ZipEntry => {
  const source = Buffer.from(words)
  return { name, at, size: source.length, crc32: crc32(source), source: [source] }
}

/** Copies the chunks, whose buffer is reused. */
async function buffer(zip: ReturnType<typeof readZip>) {
  const chunks: Buffer[] = []
  for await (const chunk of zip) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

test('every range of a package is the same bytes as the whole (P8)', async () => {
  const layout = layOut([
    stored('a.jpg', 300),
    text('ação 🚗.txt', 'olá'),
    stored('vazio', 0),
    stored('b.mp4', 5_000),
  ])
  const whole = await buffer(readZip(zeros(), layout))
  expect(whole.length).toBe(layout.size)
  await fc.assert(
    fc.asyncProperty(fc.nat(layout.size - 1), fc.nat(layout.size - 1), async (one, other) => {
      const range = { start: Math.min(one, other), end: Math.max(one, other) }
      const part = await buffer(readZip(zeros(), layout, range))
      expect(part.equals(whole.subarray(range.start, range.end + 1))).toBe(true)
    }),
  )
})

test('other ZIP readers agree: names, sizes, checksums, timestamps (P8, D-25)', async () => {
  const path = join(tmpdir(), `leitores-${process.pid}.zip`)
  const layout = layOut([stored('a.jpg', 300), text('ação 🚗.txt', 'olá')])
  await writeFile(path, readZip(zeros(), layout))
  expect((await run('unzip', ['-tqq', path])).stdout).toBe('')
  const script = `import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps([[i.filename, i.file_size, i.compress_type, list(i.date_time)] for i in z.infolist()]))`
  expect(JSON.parse((await run('python3', ['-c', script, path])).stdout)).toEqual([
    ['a.jpg', 300, 0, [2026, 11, 21, 12, 0, 0]],
    ['ação 🚗.txt', 4, 0, [2026, 11, 21, 12, 0, 0]],
  ])
  await rm(path)
})

test('the tag identifies the content: another checksum, name or size is another tag (P8)', () => {
  const tags = [
    layOut([stored('a', 10)]),
    layOut([stored('b', 10)]),
    layOut([stored('a', 11)]),
    layOut([{ ...stored('a', 10), crc32: 1 }]),
    layOut([stored('a', 10), text('c', 'd')]),
  ].map(({ etag }) => etag)
  expect(new Set(tags).size).toBe(5)
  expect(layOut([stored('a', 10)]).etag).toBe(tags[0])
})

/** Only the headers are written; the zeros between them are holes of a sparse file. */
async function sparse(layout: ReturnType<typeof layOut>) {
  const path = join(tmpdir(), `grande-${process.pid}.zip`)
  const file = await open(path, 'w')
  await file.truncate(layout.size)
  let start = 0
  for (const piece of layout.pieces) {
    if (piece instanceof Buffer) await file.write(piece, 0, piece.length, start)
    start += piece.length
  }
  await file.close()
  return path
}

test('files and offsets over 4 GB, and 70,000 entries, use ZIP64 (P8)', async () => {
  const giant = { ...stored('grande.mp4', 0), size: 4_400_000_000, crc32: 7, source: '4400000000' }
  const path = await sparse(layOut([giant, stored('depois.jpg', 5)]))
  const script = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print([(i.filename, i.file_size) for i in z.infolist()], z.read('depois.jpg'))`
  expect((await run('python3', ['-c', script, path])).stdout).toBe(
    "[('grande.mp4', 4400000000), ('depois.jpg', 5)] b'\\x00\\x00\\x00\\x00\\x00'\n",
  )
  const many = await sparse(layOut(Array.from({ length: 70_000 }, (_, n) => stored(`foto-${n}.jpg`, 1))))
  expect(
    (
      await run('python3', [
        '-c',
        'import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))',
        many,
      ])
    ).stdout,
  ).toBe('70000\n')
  await rm(path)
})

test('promise 7: 5 GB and 10,000 files stream with flat memory, one object open at a time', {
  tags: ['exhaustive'],
}, async () => {
  let isOpen = 0
  let most = 0
  const storage = zeros({
    opened: () => {
      most = Math.max(most, ++isOpen)
    },
    closed: () => isOpen--,
  })
  const entries = [
    stored('filme.mp4', 5_000_000_000),
    ...Array.from({ length: 10_000 }, (_, n) => stored(`foto-${n}.jpg`, 20_000)),
  ]
  const layout = layOut(entries)
  const before = process.memoryUsage().rss
  let peak = before
  let read = 0
  let chunks = 0
  // Piped, as a response is: an iterating reader would copy what waits into one buffer.
  const reader = new Writable({
    write(chunk: Buffer, _, done) {
      read += chunk.length
      if (++chunks % 100 === 0) peak = Math.max(peak, process.memoryUsage().rss)
      setImmediate(done)
    },
  })
  await pipeline(readZip(storage, layout), reader)
  expect(read).toBe(layout.size)
  expect(peak - before).toBeLessThan(64_000_000)
  expect(most).toBeLessThanOrEqual(2)
})

test('an object shorter than recorded aborts the package instead of shifting what follows', async () => {
  const layout = layOut([{ ...stored('a.jpg', 10), source: '9' }, text('b', 'c')])
  await expect(buffer(readZip(zeros(), layout))).rejects.toThrow(/not what was recorded/)
})
