import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  IMAGE_FLOOR,
  longestVideo,
  type PackageItem,
  packageLimit,
  payloadLimit,
  planShares,
} from './budget.ts'
import { FILE_TYPES } from './formats.ts'

const item = fc.record({
  file_type: fc.constantFrom(...FILE_TYPES),
  file_size: fc.integer({ min: 1, max: 500_000_000 }),
  pixels: fc.option(fc.integer({ min: 1, max: 200_000_000 })),
  duration_seconds: fc.option(fc.double({ min: 0.1, max: 3600, noNaN: true })),
})
const files = fc
  .array(item, { maxLength: 30 })
  .map((list) => list.map((one, index): PackageItem => ({ ...one, id: index + 1, settled_bytes: null })))

const photo = {
  file_type: 'image' as const,
  file_size: 6_000_000,
  pixels: 12_000_000,
  duration_seconds: null,
  settled_bytes: null,
}
const film = (duration_seconds: number) => ({
  ...photo,
  file_type: 'video' as const,
  file_size: 900_000_000,
  pixels: null,
  duration_seconds,
})

describe('the budget of a package', () => {
  test('the shares never pass the limit, in whatever order the files are converted', () =>
    fc.assert(
      fc.property(
        files,
        fc.integer({ min: 1, max: 100 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (list, mb, use) => {
          const items = list.map((one) => ({ ...one }))
          for (const one of [...items].sort((a, b) => b.file_size - a.file_size)) {
            const share = planShares(items, mb).get(one.id)
            one.settled_bytes = share?.admitted ? Math.floor(share.bytes * (use.next().value as number)) : 0
          }
          const total = items.reduce((sum, one) => sum + (one.settled_bytes ?? 0), 0)
          expect(total).toBeLessThanOrEqual(payloadLimit(mb, items.length))
          expect(payloadLimit(mb, items.length)).toBeLessThan(packageLimit(mb))
        },
      ),
    ))

  test('photos get what they want before a long video takes the rest', () => {
    const video = film(120)
    const shares = planShares(
      [
        { ...photo, id: 1 },
        { ...photo, id: 2 },
        { ...video, id: 3 },
      ],
      10,
    )
    expect(shares.get(1)?.bytes).toBeGreaterThan(1_000_000)
    expect(shares.get(3)?.bytes).toBeGreaterThan(5_000_000)
  })

  test('under pressure photos shrink to their floor and no further while a video still fits', () => {
    const video = film(200)
    const shares = planShares(
      [
        { ...photo, id: 1 },
        { ...video, id: 2 },
      ],
      8,
    )
    expect(shares.get(1)?.bytes).toBeGreaterThanOrEqual(IMAGE_FLOOR)
    expect(longestVideo(shares.get(2)?.bytes ?? 0)).toBeGreaterThanOrEqual(200)
  })

  test('a video that cannot fit takes nothing from the others and learns what would', () => {
    const video = film(3_000)
    const alone = planShares([{ ...photo, id: 1 }], 10).get(1)
    const shares = planShares(
      [
        { ...photo, id: 1 },
        { ...video, id: 2 },
      ],
      10,
    )
    expect(shares.get(2)).toMatchObject({ admitted: false })
    expect(longestVideo(shares.get(2)?.bytes ?? 0)).toBeGreaterThan(200)
    expect(shares.get(1)?.bytes).toBeGreaterThanOrEqual((alone?.bytes ?? 0) - 10_000)
  })
})
