import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FormatName } from '@garantia/shared/evidence/formats'
import { afterAll, describe, expect, test } from 'vitest'
import { pictureSize } from '../../server/src/features/evidence/files/picture-size.ts'
import { heicOfSizes, segments } from '../support/hostile.ts'
import { iphoneHeic, photo, rotatedHeic } from '../support/media.ts'

const dir = await mkdtemp(join(tmpdir(), 'garantia-sizes-'))
afterAll(() => rm(dir, { recursive: true, force: true }))

/** The size, with how much had to be read for it. */
async function measured(bytes: Buffer, format: FormatName) {
  const asked = { times: 0, bytes: 0 }
  const size = await pictureSize(async (position, length) => {
    asked.times++
    asked.bytes += length
    return bytes.subarray(position, position + length)
  }, format)
  return { size, asked }
}

describe('the size of a picture is read from its header', () => {
  const WIDE = { width: 640, height: 480 }
  test.each(['jpeg', 'png', 'webp', 'avif', 'tiff'] as const)('%s', async (format) => {
    const bytes = await readFile(await photo(dir, { ...WIDE, format }))
    expect((await measured(bytes, format)).size).toMatchObject(WIDE)
  })

  test('a JPEG upright, as its EXIF says', async () => {
    const rotated = await readFile(await photo(dir, { ...WIDE, name: 'deitada', orientation: 6 }))
    const { width, height } = (await measured(rotated, 'jpeg')).size ?? {}
    expect([rotated.includes('Exif'), width, height]).toEqual([true, WIDE.width, WIDE.height])
  })

  test.each([
    ['6 MB of metadata before its frame', segments(0xe2, 65_533, 100)],
    ['fill bytes between its segments', Buffer.alloc(300, 0xff)],
    ['a restart marker before its frame', Buffer.from([0xff, 0xd0])],
  ])('a JPEG with %s', async (_, between) => {
    const bytes = await readFile(await photo(dir, { ...WIDE, name: 'longa' }))
    const long = Buffer.concat([bytes.subarray(0, 2), between, bytes.subarray(2)])
    expect((await measured(long, 'jpeg')).size).toEqual(WIDE)
  })

  test('HEIC of phones, and the largest of several sizes', async () => {
    const [iphone, rotated] = [await readFile(await iphoneHeic(dir)), await readFile(await rotatedHeic(dir))]
    expect((await measured(iphone, 'heic')).size).toEqual({ width: 4032, height: 3024 })
    expect((await measured(rotated, 'heic')).size).toEqual({ width: 240, height: 320 })
    expect((await measured(heicOfSizes(3), 'heic')).size).toEqual({ width: 3, height: 3 })
  })
})

describe('no picture makes its reader work for long', () => {
  const tiffOf = (entries: number, at: number) => {
    const bytes = Buffer.alloc(at + 2 + entries * 12, 1)
    bytes.write('II*\0', 'latin1')
    bytes.writeUInt32LE(at, 4)
    return bytes
  }
  const webp = (content: string) => Buffer.from(`RIFF\xff\xff\x0f\0WEBP${content}`, 'latin1')
  const jpeg = (content: Buffer) => Buffer.concat([Buffer.from([0xff, 0xd8]), content])
  const heicStart = heicOfSizes(0).subarray(0, 24)
  const box = (size: number, kind: string, rest = '') => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(size)
    head.write(kind, 4, 'latin1')
    return Buffer.concat([heicStart, head, Buffer.from(rest, 'latin1')])
  }

  test.each<[string, FormatName, Buffer]>([
    ['a HEIC of 20 000 sizes', 'heic', heicOfSizes(20_000)],
    ['a HEIC of boxes without content', 'heic', Buffer.concat([heicStart, heicOfBoxes(20_000)])],
    ['a HEIC box of no size', 'heic', box(0, 'mdat')],
    ['a HEIC box smaller than its header', 'heic', box(4, 'free')],
    ['a HEIC box longer than any file', 'heic', box(1, 'free', '\xff'.repeat(8))],
    [
      'a JPEG that goes on with zeros',
      'jpeg',
      jpeg(Buffer.concat([Buffer.from([0xff, 0xe0]), Buffer.alloc(1_000_000)])),
    ],
    ['a JPEG of fill bytes', 'jpeg', jpeg(Buffer.alloc(1_000_000, 0xff))],
    ['a JPEG of empty segments', 'jpeg', jpeg(segments(0xe2, 0, 200_000))],
    ['a JPEG of EXIF alone', 'jpeg', jpeg(segments(0xe1, 4, 200_000, 'Exif'))],
    ['a TIFF with a directory of 100 000 entries', 'tiff', tiffOf(100_000, 8)],
    ['a WebP that begins as 200 000 drawings', 'webp', webp('<svg '.repeat(200_000))],
  ])('%s', async (_, format, bytes) => {
    const { size, asked } = await measured(bytes, format)
    expect(size).toBeNull()
    expect(asked.times).toBeLessThan(5_000)
    expect(asked.bytes).toBeLessThan(100_000)
  })

  function heicOfBoxes(count: number) {
    const free = Buffer.from('\0\0\0\x08free', 'latin1')
    return Buffer.concat(Array.from({ length: count }, () => free))
  }
})

test('a file that ends too soon, or that cannot be read, says so', async () => {
  const bytes = await readFile(await photo(dir, { name: 'inteira' }))
  for (const length of [2, 5, 21, 100])
    expect((await measured(bytes.subarray(0, length), 'jpeg')).size).toBeNull()
  const file = await open(join(dir, 'inteira.jpg'))
  await file.close()
  await expect(
    pictureSize(async (position) => (await file.read({ buffer: Buffer.alloc(9), position })).buffer, 'jpeg'),
  ).rejects.toThrow('file closed')
})
