import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FORMATS } from '@garantia/shared/evidence/formats'
import { cameraOf, readCaptureInfo } from '@garantia/worker/media/exif'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  iphoneHeic,
  type PhotoTraits,
  photo,
  quadrantColours,
  renamed,
  rotatedHeic,
  sourceOf,
  UPRIGHT,
} from '../support/media.ts'
import { convert, media, newFolder, newRun, reasonOf, target } from './media-fixtures.ts'

let dir: string
beforeAll(async () => {
  dir = await newFolder()
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const exifOf = async (path: string) => {
  const { exif, xmp } = await sharp(path).metadata()
  return readCaptureInfo(exif, xmp)
}

describe('a photo', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8] as const)(
    'of EXIF orientation %i becomes upright',
    async (orientation) => {
      const path = await photo(dir, { name: `o${orientation}`, orientation, width: 400, height: 300 })
      expect(await media.inspect(await sourceOf(path, 'jpeg'), await newRun())).toMatchObject({
        width: 400,
        height: 300,
      })
      const made = await convert(path, 'jpeg')
      expect(made).toMatchObject({ format: 'jpeg', width: 400, height: 300, reencoded: orientation !== 1 })
      expect(await quadrantColours(made.path)).toBe(UPRIGHT)
      expect((await sharp(made.path).metadata()).orientation ?? 1).toBe(1)
    },
  )

  test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'as %s leaves behind what was appended to it',
    async (format) => {
      const whole = await photo(dir, { name: `inteira-${format}`, format, width: 300, height: 200 })
      const bytes = await readFile(whole)
      const kept = await convert(whole, format, { image_formats: [FORMATS[format].ext] })
      expect(kept.reencoded).toBe(false)
      expect(await readFile(kept.path)).toEqual(bytes)
      for (const behind of [
        '<!doctype html><script>alert(1)</script>',
        'PK\x03\x04\x14\0\0\0',
        'MZ\x90\0',
        '\0'.repeat(9),
      ]) {
        const path = join(dir, `acrescida.${FORMATS[format].ext}`)
        await writeFile(path, Buffer.concat([bytes, Buffer.from(behind)]))
        const made = await convert(path, format, { image_formats: [FORMATS[format].ext] })
        expect(made).toMatchObject({ size: bytes.length, reencoded: false })
        expect(await readFile(made.path)).toEqual(bytes)
      }
    },
  )

  test.each([
    [90, 'blue red white green', 300, 400],
    [180, 'white blue green red', 400, 300],
    [270, 'green white red blue', 300, 400],
  ] as const)(
    'rotated by %i degrees is rotated from upright, whatever its stored orientation (D-21)',
    async (rotation, seen, width, height) => {
      for (const orientation of [1, 6] as const) {
        const path = await photo(dir, { name: `giro${orientation}`, orientation, width: 400, height: 300 })
        const made = await convert(path, 'jpeg', { rotation })
        expect(made).toMatchObject({ width, height, reencoded: true })
        expect(await quadrantColours(made.path)).toBe(seen)
      }
      const heic = await convert(await rotatedHeic(dir), 'heic', { rotation })
      expect(await quadrantColours(heic.path)).toBe(seen)
    },
  )

  test('reports its camera metadata, and of the location only whether there is one', async () => {
    const path = await photo(dir, { name: 'fatos', orientation: 6, gps: true, taken: '2026:10:05 14:30:00' })
    const marked = join(dir, 'marcada.jpg')
    await sharp(path)
      .keepMetadata()
      .withExifMerge({ IFD0: { Make: 'Apple', Model: 'Apple iPhone 15' } })
      .toFile(marked)
    const facts = await media.inspect(await sourceOf(marked, 'jpeg'), await newRun())
    expect(facts).toMatchObject({
      camera: 'Apple iPhone 15',
      orientation: 6,
      has_location: true,
      captured_at: new Date('2026-10-05T14:30:00-03:00'),
    })
    expect(Object.keys(facts).filter((name) => /lat|long|gps/i.test(name))).toEqual([])
    const plain = await media.inspect(
      await sourceOf(await photo(dir, { name: 'sem' }), 'jpeg'),
      await newRun(),
    )
    expect(plain).toMatchObject({ camera: null, orientation: 1, has_location: false })
  })

  test.each([
    ['samsung', 'SM-G991B', 'samsung SM-G991B'],
    ['Motorola', 'motorola edge 40', 'motorola edge 40'],
    [undefined, '  Pixel\u0000 9 ', 'Pixel 9'],
    [7, undefined, null],
    ['', '\uFFFD', null],
  ])('of maker %j and model %j was taken with %j', (make, model, camera) =>
    expect(cameraOf(make, model)).toBe(camera),
  )

  test.each(['png', 'webp', 'avif', 'tiff'] as const)('as %s becomes a JPEG', async (format) => {
    const made = await convert(await photo(dir, { format, name: 'kind' }), format, { image_formats: ['jpg'] })
    expect(made).toMatchObject({ format: 'jpeg', width: 640, height: 480, reencoded: true })
    expect((await sharp(made.path).metadata()).format).toBe('jpeg')
    expect(await quadrantColours(made.path)).toBe(UPRIGHT)
  })

  test('keeps its date and loses its location, its camera and all other metadata', async () => {
    const path = await photo(dir, { name: 'gps', gps: true, taken: '2026:10:05 14:30:00' })
    const made = await convert(path, 'jpeg')
    expect(made).toMatchObject({ reencoded: true, captured_at: new Date('2026-10-05T14:30:00-03:00') })
    const kept = await exifOf(made.path)
    expect(kept).toMatchObject({ has_gps: false, captured_at: made.captured_at })
    expect((await readFile(made.path)).includes('GPSLatitude')).toBe(false)
  })

  test('keeps its location when the brand requires it', async () => {
    const path = await photo(dir, { name: 'gps2', gps: true, orientation: 6 })
    const made = await convert(path, 'jpeg', { keep_gps: true })
    expect(made.reencoded).toBe(true)
    const kept = await exifOf(made.path)
    expect(kept.has_gps).toBe(true)
    expect(kept.buildExif(true)?.IFD3).toMatchObject({
      GPSLatitudeRef: 'S',
      GPSLatitude: '230000/10000 330000/10000 10000/10000',
    })
  })

  test('that is small, accepted, upright and without location is copied byte for byte', async () => {
    const path = await photo(dir, { name: 'fine', taken: '2026:10:05 14:30:00' })
    const made = await convert(path, 'jpeg')
    expect(made).toMatchObject({ reencoded: false, is_over_compressed: false })
    expect((await readFile(made.path)).equals(await readFile(path))).toBe(true)
    // One byte less: it is encoded anew, and would be copied otherwise.
    const budget_bytes = (await sourceOf(path, 'jpeg')).size - 1
    expect(await convert(path, 'jpeg', { budget_bytes })).toMatchObject({
      reencoded: true,
      is_over_compressed: true,
    })
  })

  test('is no larger than the brand wants and never enlarged', async () => {
    const big = await photo(dir, { name: 'big', width: 3000, height: 1500 })
    expect(await convert(big, 'jpeg', { long_side: 1024 })).toMatchObject({ width: 1024, height: 512 })
    const small = await photo(dir, { name: 'small', width: 300, height: 200, orientation: 3 })
    expect(await convert(small, 'jpeg')).toMatchObject({ width: 300, height: 200 })
  })

  test('of 12 megapixels uses its share well: high quality where it fits, most of the bytes where it does not', async () => {
    const path = await photo(dir, { name: '12mp', width: 4000, height: 3000, noise: 90 })
    const roomy = await convert(path, 'jpeg')
    expect(roomy).toMatchObject({ width: 2048, height: 1536, is_over_compressed: false })
    for (const budget_bytes of [Math.floor(roomy.size / 2), 150_000]) {
      const made = await convert(path, 'jpeg', { budget_bytes })
      expect(made.size).toBeLessThanOrEqual(budget_bytes)
      expect(made.size).toBeGreaterThan(budget_bytes * 0.7)
      expect(made.is_over_compressed).toBe(true)
      expect(await quadrantColours(made.path)).toBe(UPRIGHT)
    }
  })

  test('goes to the next accepted format when a PNG would not fit', async () => {
    const path = await photo(dir, { name: 'noisy', width: 1200, height: 900, noise: 120 })
    expect((await convert(path, 'jpeg', { image_formats: ['png', 'webp'], long_side: 1000 })).format).toBe(
      'png',
    )
    const tight = { image_formats: ['png', 'webp'], long_side: 1000, budget_bytes: 300_000 }
    expect(await convert(path, 'jpeg', tight)).toMatchObject({ format: 'webp', is_over_compressed: true })
    expect((await convert(path, 'jpeg', { ...tight, image_formats: ['png'] })).format).toBe('jpeg')
    expect((await convert(path, 'jpeg', { image_formats: ['heic'], long_side: 1000 })).format).toBe('jpeg')
  })

  test('with transparency gets a white background in a JPEG', async () => {
    const path = `${dir}/clear.png`
    await sharp({
      create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toFile(path)
    const made = await convert(path, 'png', { image_formats: ['jpg'] })
    const [red] = await sharp(made.path).raw().toBuffer()
    expect(red).toBe(255)
  })

  test('in gray, in 16 bits and in CMYK becomes 8 bits that every viewer shows', async () => {
    const kinds: Record<string, (from: Sharp) => Sharp> = {
      gray: (from) => from.toColourspace('b-w').png(),
      deep: (from) => from.toColourspace('rgb16').png(),
      print: (from) => from.toColourspace('cmyk').tiff(),
    }
    const from = await photo(dir, { name: 'colours', width: 200, height: 100 })
    for (const [name, change] of Object.entries(kinds)) {
      const path = `${dir}/${name}.${name === 'print' ? 'tif' : 'png'}`
      await change(sharp(from)).toFile(path)
      const made = await convert(path, name === 'print' ? 'tiff' : 'png', { image_formats: ['jpg'] })
      expect(await sharp(made.path).metadata()).toMatchObject({ depth: 'uchar', space: 'srgb' })
      if (name !== 'gray') expect(await quadrantColours(made.path)).toBe(UPRIGHT)
    }
  })

  test('that cannot be made small enough is refused with the sizes', async () => {
    const path = await photo(dir, { name: 'tiny', width: 1000, height: 800, noise: 150 })
    const reason = await reasonOf(convert(path, 'jpeg', { budget_bytes: 4_000 }))
    expect(reason).toMatch(/A imagem precisa de pelo menos [\d,]+ KB e só restam 4 KB no pacote: remova/)
  })

  test('reports progress that rises and ends at 100 with the finished file', async () => {
    const run = await newRun()
    const path = await photo(dir, { name: 'progress', orientation: 6 })
    await media.convert(await sourceOf(path, 'jpeg'), target(), run)
    expect(run.percents.length).toBeGreaterThanOrEqual(3)
    expect(run.percents).toEqual([...run.percents].sort((a, b) => a - b))
    expect(run.percents.indexOf(100)).toBe(run.percents.length - 1)
  })
})

describe('a HEIC photo', () => {
  test('of an iPhone becomes a JPEG with its date and colours, without its location', async () => {
    const path = await iphoneHeic(dir)
    const before = await media.inspect(await sourceOf(path, 'heic'), await newRun())
    expect(before).toMatchObject({
      width: 4032,
      height: 3024,
      captured_at: new Date('2019-03-21T11:04:22-03:00'),
    })
    const made = await convert(path, 'heic')
    expect(made).toMatchObject({ format: 'jpeg', width: 2048, height: 1536, captured_at: before.captured_at })
    expect((await exifOf(made.path)).has_gps).toBe(false)
    // The blue fence: read as sRGB instead of Display P3 its red would be about 30 higher.
    const [r = 255, g = 255, b = 0] = await sharp(made.path)
      .extract({ left: 240, top: 380, width: 60, height: 30 })
      .resize(1, 1)
      .raw()
      .toBuffer()
    expect(b).toBeGreaterThan(g)
    expect(g).toBeGreaterThan(r)
  })

  test('taken in portrait is rotated once, not twice', async () => {
    const path = await rotatedHeic(dir)
    const made = await convert(path, 'heic')
    expect(made).toMatchObject({
      width: 320,
      height: 240,
      captured_at: new Date('2026-10-05T14:30:00-03:00'),
    })
    expect(await quadrantColours(made.path)).toBe(UPRIGHT)
  })
})

describe('a preview', () => {
  const kinds: [string, PhotoTraits][] = [
    ['a turned JPEG', { orientation: 8, width: 1200, height: 900 }],
    ['a PNG', { format: 'png', width: 900, height: 1200 }],
  ]
  test.each(kinds)('of %s is an upright WebP of 480 pixels', async (_kind, traits) => {
    const path = await photo(dir, { name: 'preview', ...traits })
    const made = await media.preview(await sourceOf(path, traits.format ?? 'jpeg'), await newRun())
    const head = await sharp(made?.path).metadata()
    expect([head.format, Math.max(head.width, head.height)]).toEqual(['webp', 480])
    expect(await quadrantColours(made?.path ?? '')).toBe(UPRIGHT)
  })

  test('of a HEIC is upright too', async () => {
    const made = await media.preview(await sourceOf(await rotatedHeic(dir), 'heic'), await newRun())
    expect(await quadrantColours(made?.path ?? '')).toBe(UPRIGHT)
  })
})

test('a picture of another format than declared is refused', async () => {
  const png = await photo(dir, { format: 'png', name: 'other' })
  const path = await renamed(dir, png, 'outra.jpg')
  expect(await reasonOf(convert(path, 'jpeg'))).toMatch(/não é o de uma imagem do formato anunciado/)
})
