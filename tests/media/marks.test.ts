import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import type { Mark } from '@garantia/shared/evidence/marks'
import { readCaptureInfo } from '@garantia/worker/media/exif'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { photo, quadrantColours } from '../support/media.ts'
import { convert, newFolder } from './media-fixtures.ts'

let dir: string
beforeAll(async () => {
  dir = await newFolder()
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const WIDE = { width: 400, height: 300 }
/** The colours of all pixels within a box given in shares, as one list. */
async function pixelsOf(path: string, box: { left: number; top: number; width: number; height: number }) {
  const { width, height } = await sharp(path).metadata()
  const { data } = await sharp(path)
    .removeAlpha()
    .extract({
      left: Math.round(box.left * width),
      top: Math.round(box.top * height),
      width: Math.round(box.width * width),
      height: Math.round(box.height * height),
    })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Array.from({ length: data.length / 3 }, (_, at) => [...data.subarray(3 * at, 3 * at + 3)])
}
const isRed = ([red = 0, green = 0, blue = 0]: number[]) => red > 150 && green < 90 && blue < 100
const shareOf = (pixels: number[][], is: (pixel: number[]) => boolean) =>
  pixels.filter(is).length / pixels.length

const COVERED = { left: 0.25, top: 0.25, width: 0.5, height: 0.5 }
const cover: Mark = { kind: 'cover', box: COVERED }

test.each(['jpeg', 'png', 'webp'] as const)(
  'nothing is left of what lies under a cover: as %s the box is one colour, and the rest is as it was',
  async (format) => {
    const path = await photo(dir, { ...WIDE, name: `coberta-${format}`, format })
    const before = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
    const made = await convert(path, format, { marks: [cover], image_formats: ['png'] })
    expect(made.reencoded).toBe(true)
    const under = await pixelsOf(made.path, COVERED)
    expect(new Set(under.map(String)).size).toBe(1)
    // The four corners are outside of the box.
    expect(await quadrantColours(made.path)).toBe(await quadrantColours(path))
    expect(
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ).toBe(before)
  },
)

test('two photos that differ only under a cover make the same copy, byte for byte, without a thumbnail in it', async () => {
  const copies = []
  for (const [name, colour] of [
    ['um', '#102030'],
    ['dois', '#302010'],
  ] as const) {
    const path = `${dir}/${name}.png`
    // As many pixels of each colour in both, so that their mean is the same.
    const half = (left: string, right: string) =>
      sharp({ create: { width: 100, height: 100, channels: 3, background: left } })
        .composite([
          {
            input: { create: { width: 50, height: 100, channels: 3, background: right } },
            left: 50,
            top: 0,
          },
        ])
        .png()
        .toBuffer()
    const secret = await (name === 'um' ? half('#102030', '#302010') : half('#302010', '#102030'))
    expect(colour).toBeTruthy()
    await sharp({ create: { width: 400, height: 400, channels: 3, background: '#808080' } })
      .composite([{ input: secret, left: 150, top: 150 }])
      .withExif({ IFD0: { Make: 'Apple', DateTime: '2026:10:05 14:30:00' } })
      .png()
      .toFile(path)
    const made = await convert(path, 'png', {
      marks: [{ kind: 'cover', box: { left: 0.3, top: 0.3, width: 0.4, height: 0.4 } }],
      image_formats: ['jpg'],
    })
    copies.push(await readFile(made.path))
    const { exif, xmp } = await sharp(made.path).metadata()
    expect(exif?.includes('JFIF') ?? false).toBe(false)
    expect(readCaptureInfo(exif, xmp).has_gps).toBe(false)
  }
  expect(copies[0]).toEqual(copies[1])
})

test.each([
  [0, { left: 0, top: 0, width: 0.5, height: 0.5 }],
  [90, { left: 0.5, top: 0, width: 0.5, height: 0.5 }],
  [180, { left: 0.5, top: 0.5, width: 0.5, height: 0.5 }],
  [270, { left: 0, top: 0.5, width: 0.5, height: 0.5 }],
] as const)('a photo turned by %i degrees has its marks where they were set', async (rotation, seen) => {
  for (const orientation of [1, 6] as const) {
    const path = await photo(dir, { ...WIDE, name: `virada${orientation}`, orientation })
    const plain = await convert(path, 'jpeg', { rotation, image_formats: ['png'] })
    const made = await convert(path, 'jpeg', {
      rotation,
      image_formats: ['png'],
      marks: [{ kind: 'circle', box: { left: 0.05, top: 0.05, width: 0.4, height: 0.4 } }],
    })
    const [drawn, before] = [await pixelsOf(made.path, seen), await pixelsOf(plain.path, seen)]
    expect(drawn).not.toEqual(before)
    const all = { left: 0, top: 0, width: 1, height: 1 }
    const changed = (box: typeof all) =>
      Promise.all([pixelsOf(made.path, box), pixelsOf(plain.path, box)]).then(
        ([now, then]) => now.filter((pixel, at) => String(pixel) !== String(then[at])).length,
      )
    expect(await changed(seen)).toBe(await changed(all))
  }
})

test('an arrow, a circle and a text are red where they were drawn, also on grey and transparent pictures', async () => {
  const marks: Mark[] = [
    { kind: 'arrow', from: { x: 0.1, y: 0.2 }, to: { x: 0.4, y: 0.2 } },
    { kind: 'circle', box: { left: 0.6, top: 0.05, width: 0.3, height: 0.3 } },
    { kind: 'text', at: { x: 0.5, y: 0.7 }, text: 'Vazamento de óleo: junta' },
  ]
  const background = { r: 120, g: 120, b: 120, alpha: 0.5 }
  const path = `${dir}/cinza.png`
  for (const grey of [false, true]) {
    const plain = sharp({ create: { width: 800, height: 600, channels: 4, background } })
    await (grey ? plain.removeAlpha().greyscale().toColourspace('b-w') : plain).png().toFile(path)
    const made = await convert(path, 'png', { marks, image_formats: ['png'] })
    const drawn = (box: Parameters<typeof pixelsOf>[1]) =>
      pixelsOf(made.path, box).then((pixels) =>
        shareOf(pixels, grey ? ([value = 0]) => value !== 120 : isRed),
      )
    expect(await drawn({ left: 0.15, top: 0.195, width: 0.2, height: 0.01 })).toBeGreaterThan(0.35)
    expect(await drawn({ left: 0.6, top: 0.15, width: 0.01, height: 0.1 })).toBeGreaterThan(0.3)
    expect(await drawn({ left: 0.7, top: 0.15, width: 0.1, height: 0.1 })).toBe(0)
    const text = await drawn({ left: 0.42, top: 0.69, width: 0.16, height: 0.02 })
    expect(text).toBeGreaterThan(0.3)
    // The letters are white.
    if (!grey) expect(text).toBeLessThan(0.95)
    expect(await drawn({ left: 0, top: 0.85, width: 1, height: 0.1 })).toBe(0)
  }
})

test('a covered part hides nothing that is drawn, whichever came first', async () => {
  const path = await photo(dir, { ...WIDE, name: 'ordem' })
  const circle: Mark = { kind: 'circle', box: { left: 0.3, top: 0.3, width: 0.4, height: 0.4 } }
  const copies = []
  for (const marks of [
    [cover, circle],
    [circle, cover],
  ])
    copies.push(await readFile((await convert(path, 'jpeg', { marks, image_formats: ['png'] })).path))
  expect(copies[0]).toEqual(copies[1])
})

test('the shortest arrow is as small as it is drawn', async () => {
  const path = await photo(dir, { ...WIDE, name: 'curta' })
  const arrow: Mark = { kind: 'arrow', from: { x: 0.5, y: 0.5 }, to: { x: 0.505, y: 0.5 } }
  const [plain, drawn] = await Promise.all(
    [[], [arrow]].map((marks) => convert(path, 'jpeg', { marks, image_formats: ['png'] })),
  )
  for (const away of [
    { left: 0, top: 0, width: 1, height: 0.4 },
    { left: 0, top: 0.6, width: 1, height: 0.4 },
  ])
    expect(await pixelsOf(drawn?.path ?? '', away)).toEqual(await pixelsOf(plain?.path ?? '', away))
})

test('marks at and beyond the edge are drawn as far as the picture goes', async () => {
  const path = await photo(dir, { ...WIDE, name: 'borda' })
  const made = await convert(path, 'jpeg', {
    image_formats: ['png'],
    marks: [
      { kind: 'arrow', from: { x: 0, y: 0 }, to: { x: 1, y: 1 } },
      { kind: 'circle', box: { left: 0, top: 0, width: 1, height: 1 } },
      { kind: 'text', at: { x: 1, y: 0 }, text: 'W'.repeat(60) },
      { kind: 'cover', box: { left: 0.9, top: 0.9, width: 0.1, height: 0.1 } },
    ],
  })
  expect(made).toMatchObject({ ...WIDE, format: 'png' })
})
