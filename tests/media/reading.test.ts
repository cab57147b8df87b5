import { rm } from 'node:fs/promises'
import type { FormatName } from '@garantia/shared/evidence/formats'
import type { ReadingKind } from '@garantia/shared/evidence/reading'
import { COLUMNS, type Frames, PLATE, readPattern, VIN } from '@garantia/worker/media/ctc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hugePng, photo, sourceOf } from '../support/media.ts'
import { codePhoto, type DrawnPlate, drawPhotos, labelPhoto, platePhoto } from '../support/plates.ts'
import { media, newFolder, newRun, reasonOf } from './media-fixtures.ts'

const dir = await newFolder()
afterAll(() => rm(dir, { recursive: true, force: true }))

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** What a recogniser would say: for each strip the probability of some characters; the rest is blank. */
function framesOf(...strips: Record<string, number>[]): Frames {
  const logs = new Float32Array(strips.length * COLUMNS).fill(Math.log(1e-6))
  for (const [row, chances] of strips.entries()) {
    let blank = 1
    for (const [character, chance] of Object.entries(chances)) {
      logs[row * COLUMNS + CHARACTERS.indexOf(character)] = Math.log(chance)
      blank -= chance
    }
    logs[row * COLUMNS + COLUMNS - 1] = Math.log(Math.max(1e-6, blank))
  }
  return { count: strips.length, logs }
}
const surely = (text: string) => [...text].flatMap((one) => [{ [one]: 0.98 }, {}])

describe('a text under a pattern', () => {
  test('is the likeliest that the pattern allows, not the likeliest with letters exchanged', () => {
    const frames = framesOf(
      ...surely('AB'),
      { '8': 0.7, B: 0.25 },
      {},
      ...surely('1'),
      { D: 0.9 },
      {},
      { Z: 0.6, '2': 0.3 },
      {},
      ...surely('3'),
    )
    expect(readPattern(frames, PLATE)?.text).toBe('ABB1D23')
  })

  test('repeats a character only where a blank separates', () => {
    const [a, b] = [{ A: 0.98 }, { B: 0.98 }]
    const frames = framesOf(a, a, {}, a, a, b, b, {}, ...surely('1123'))
    expect(readPattern(frames, PLATE)?.text).toBe('AAB1123')
  })

  test('has a score near 0 when certain, and a margin that shrinks with doubt', () => {
    const sure = readPattern(framesOf(...surely('ABC1D23')), PLATE)
    const doubted = readPattern(framesOf(...surely('ABC1D2'), { '3': 0.5, '8': 0.45 }, {}), PLATE)
    expect(sure?.score).toBeGreaterThan(-0.3)
    expect(sure?.margin).toBeGreaterThan(2)
    expect(doubted).toMatchObject({ text: 'ABC1D23' })
    expect(doubted?.margin).toBeLessThan(0.2)
  })

  test('has no I, O or Q in a chassis number, and none comes out of too few strips', () => {
    const frames = framesOf(...surely('9BWZZZ377VT00425'), { I: 0.6, '1': 0.3 }, {})
    expect(readPattern(frames, VIN)?.text).toBe('9BWZZZ377VT004251')
    expect(readPattern(framesOf(...surely('ABC')), VIN)).toBeNull()
  })
})

async function readIn(path: string, kinds: ReadingKind[], format: FormatName = 'jpeg') {
  return (await media.read(await sourceOf(path, format), { kinds }, await newRun())).found
}

const PLATES: [string, string, DrawnPlate][] = [
  ['of the new pattern by day', 'BRA2E19', {}],
  ['of the old pattern by day', 'MKL4586', {}],
  ['of the new pattern by night', 'FGH5J72', { isNight: true }],
  ['of the old pattern by night', 'NBD9326', { isNight: true }],
  ['tilted to the left', 'ABC1D23', { tilt: -14 }],
  ['tilted to the right', 'HJK3456', { tilt: 12 }],
  ['of a motorcycle, new', 'PTR6A48', { isMotorcycle: true }],
  ['of a motorcycle, old, by night', 'CDE7249', { isMotorcycle: true, isNight: true }],
  ['of 12 megapixels', 'LMN8B65', { scale: 3.125 }],
]
const [CHASSIS, MILEAGE] = ['9BWZZZ377VT004251', '48.250 km']
let photos = new Map<string, string>()
beforeAll(async () => {
  const plates = PLATES.map(([, plate, how]) => platePhoto(plate, how))
  photos = await drawPhotos(dir, [...plates, labelPhoto(CHASSIS), labelPhoto(MILEAGE)])
})

describe('a photo', () => {
  test.each(PLATES)('shows a plate %s', async (_, plate) => {
    const [found] = await readIn(photos.get(plate) ?? '', ['plate'])
    expect(found).toMatchObject({ kind: 'plate', text: plate })
    expect(found?.score).toBeGreaterThan(-1.5)
    const { left = 0, top = 0, width = 0, height = 0 } = found?.box ?? {}
    expect(Math.abs(left + width / 2 - 0.5)).toBeLessThan(0.1)
    expect(Math.abs(top + height / 2 - 0.5)).toBeLessThan(0.15)
  })

  test('shows a chassis number and a mileage, and a plate is none of them', async () => {
    const vin = photos.get(CHASSIS) ?? ''
    expect(await readIn(vin, ['vin'])).toMatchObject([{ kind: 'vin', text: CHASSIS }])
    expect(await readIn(vin, ['plate', 'odometer'])).toEqual([])
    const mileage = photos.get(MILEAGE) ?? ''
    expect(await readIn(mileage, ['odometer'])).toMatchObject([{ kind: 'odometer', text: '48250' }])
    expect(await readIn(mileage, ['vin'])).toEqual([])
  })

  test.each(['QRCode', 'DataMatrix', 'Code128'] as const)(
    'shows a code on a label of a part: %s',
    async (format) => {
      const path = await codePhoto(dir, 'GT-4471/0098', format)
      expect(await readIn(path, ['code'])).toMatchObject([{ kind: 'code', text: 'GT-4471/0098' }])
      expect(await readIn(path, ['plate'])).toEqual([])
    },
  )

  test('without text says nothing', async () => {
    expect(await readIn(await photo(dir), ['plate', 'vin', 'odometer', 'code'])).toEqual([])
  })

  test('of one kilobyte that claims sixteen gigabytes is refused before anything is decoded', async () => {
    // Four bytes a pixel when decoded.
    const png = await hugePng(dir, 'dezesseis.png', { width: 64_000, height: 64_000 })
    const refused = media.read(await sourceOf(png, 'png'), { kinds: ['plate', 'code'] }, await newRun())
    expect(await reasonOf(refused)).toMatch(/4\.096 megapixels/)
  })
})
