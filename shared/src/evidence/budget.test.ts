import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  filesToReencode,
  IMAGE_FLOOR,
  isWorthReencoding,
  longestVideo,
  type PackageItem,
  packageLimit,
  payloadLimit,
  planShares,
  wantOf,
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
  .map((list) => list.map((one, index): PackageItem => ({ ...one, id: index + 1, committed_bytes: null })))

const photo = {
  file_type: 'image' as const,
  file_size: 6_000_000,
  pixels: 12_000_000,
  duration_seconds: null,
  committed_bytes: null,
}
const videoOf = (duration_seconds: number) => ({
  ...photo,
  file_type: 'video' as const,
  file_size: 900_000_000,
  pixels: null,
  duration_seconds,
})

describe('the budget of a package', () => {
  test('the shares never exceed the limit, in whatever order the files are converted', () =>
    fc.assert(
      fc.property(
        files,
        fc.integer({ min: 1, max: 100 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (list, mb, use) => {
          const items = list.map((one) => ({ ...one }))
          for (const one of [...items].sort((a, b) => b.file_size - a.file_size)) {
            const share = planShares(items, mb).get(one.id)
            one.committed_bytes = share?.admitted ? Math.floor(share.bytes * (use.next().value as number)) : 0
          }
          const total = items.reduce((sum, one) => sum + (one.committed_bytes ?? 0), 0)
          expect(total).toBeLessThanOrEqual(payloadLimit(mb, items.length))
          expect(payloadLimit(mb, items.length)).toBeLessThan(packageLimit(mb))
        },
      ),
    ))

  test('photos get all the bytes they need before a long video gets the rest', () => {
    const video = videoOf(120)
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

  test('when bytes are scarce photos shrink to their minimum, no further while a video still fits', () => {
    const video = videoOf(200)
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

  test('when not even the minimums of the photos fit, all shrink by the same ratio, and a video is left out', () => {
    const photos = Array.from({ length: 10 }, (_, index) => ({ ...photo, id: index + 1 }))
    const limit = payloadLimit(1, 11)
    expect(limit).toBeLessThan(10 * IMAGE_FLOOR)
    const shares = planShares([...photos, { ...videoOf(1), id: 11 }], 1)
    for (const { id } of photos) {
      const { bytes = 0, admitted } = shares.get(id) ?? {}
      expect(admitted).toBe(true)
      expect(bytes).toBeLessThanOrEqual(limit / 10)
      expect(bytes).toBeGreaterThan(limit / 10 - 2)
    }
    expect(shares.get(11)).toEqual({ bytes: 0, admitted: false })
  })

  test('in a re-encode pass every file keeps the bytes of its fallback copy, within the limit', () =>
    fc.assert(
      fc.property(
        files,
        fc.integer({ min: 1, max: 100 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (list, mb, use) => {
          const part = () => use.next().value as number
          const items = list.map((one) => ({ ...one }))
          for (const one of items) {
            const share = planShares(items, mb).get(one.id)
            one.committed_bytes = share?.admitted ? Math.floor((share.bytes * part()) / 2) : 0
          }
          const again = items
            .filter(() => part() < 0.5)
            .map((one) => ({ one, copy: one.committed_bytes ?? 0 }))
          for (const { one, copy } of again)
            Object.assign(one, { committed_bytes: null, fallback_bytes: copy })
          for (const { one, copy } of again) {
            const share = planShares(items, mb).get(one.id)
            if (copy > 0) expect(share?.bytes).toBeGreaterThanOrEqual(copy)
            one.committed_bytes = Math.max(copy, share?.admitted ? Math.floor(share.bytes * part()) : 0)
          }
          const total = items.reduce((sum, one) => sum + (one.committed_bytes ?? 0), 0)
          expect(total).toBeLessThanOrEqual(payloadLimit(mb, items.length))
        },
      ),
    ))

  test('over-compressed files get one re-encode pass once all are finished and less than 70 % is used', () => {
    const finished = (id: number, committed_bytes: number | null, is_over_compressed: boolean) => ({
      ...{ ...photo, id, committed_bytes, is_over_compressed, is_reencode_pass: false },
    })
    const list = [finished(1, 1_000_000, true), finished(2, 5_000_000, false)]
    const idsOf = (items: typeof list) => filesToReencode(items, 10).map(({ id }) => id)
    expect(idsOf(list)).toEqual([1])
    expect(idsOf([...list, finished(3, null, false)])).toEqual([])
    expect(idsOf([...list, finished(3, 900_000, true)])).toEqual([])
    expect(idsOf(list.map((one) => ({ ...one, is_reencode_pass: true })))).toEqual([])
    expect(idsOf(list.map((one) => ({ ...one, is_over_compressed: false })))).toEqual([])
    expect([isWorthReencoding(1_099_999, 1_000_000), isWorthReencoding(1_100_000, 1_000_000)]).toEqual([
      false,
      true,
    ])
  })

  test('at exactly 70 % of what the files may take, a package is used well enough; one byte less is not', () => {
    const limit = payloadLimit(10, 2)
    const overCompressed = { ...photo, id: 1, is_over_compressed: true, is_reencode_pass: false }
    const idsWith = (used: number) =>
      filesToReencode(
        [
          { ...overCompressed, committed_bytes: 1_000_000 },
          { ...overCompressed, id: 2, is_over_compressed: false, committed_bytes: used - 1_000_000 },
        ],
        10,
      ).map(({ id }) => id)
    expect([limit, 0.7 * limit]).toEqual([9_681_600, 6_777_120])
    expect([idsWith(6_777_119), idsWith(6_777_120)]).toEqual([[1], []])
  })

  test('3 % of the limit, 16 kB and 1200 bytes a file are kept for what the ZIP adds to the files', () => {
    expect([0, 1, 5, 100].map((files) => payloadLimit(10, files))).toEqual([
      9_684_000, 9_682_800, 9_678_000, 9_564_000,
    ])
    expect(payloadLimit(1, 1_000)).toBe(0)
  })

  test('a video that cannot fit takes nothing from the others, and the length that would fit is known', () => {
    const still = { ...photo, id: 1 }
    const video = { ...videoOf(3_000), id: 2 }
    const share = planShares([still, video], 10).get(1)?.bytes ?? 0
    expect(share).toBeGreaterThanOrEqual(wantOf(still))
    for (const committed_bytes of [null, share]) {
      const refused = planShares([{ ...still, committed_bytes }, video], 10).get(2)
      expect(refused).toMatchObject({ admitted: false })
      expect(longestVideo(refused?.bytes ?? 0)).toBeGreaterThan(200)
    }
  })
})
