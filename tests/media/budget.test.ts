import { rm, stat } from 'node:fs/promises'
import type { FormatName } from '@garantia/shared/evidence/formats'
import { CannotConvert } from '@garantia/worker/media/media'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { count } from '../support/exhaustive.ts'
import { photo, rotatedHeic, sourceOf, video } from '../support/media.ts'
import { media, newFolder, newRun, target } from './media-fixtures.ts'

/** The main promise of the product: whatever the budget, never a byte over it (D-21). */
let dir: string
let photos: [string, FormatName][]
let videos: [string, FormatName][]
beforeAll(async () => {
  dir = await newFolder()
  photos = [
    [await photo(dir, { name: 'flat', noise: 0, orientation: 6 }), 'jpeg'],
    [await photo(dir, { name: 'grain', noise: 200, width: 640, height: 500 }), 'jpeg'],
    [await photo(dir, { name: 'shot', format: 'png', width: 500, height: 640, gps: true }), 'png'],
    [await rotatedHeic(dir), 'heic'],
  ]
  const small = { width: 320, height: 180 }
  videos = [
    [await video(dir, { name: 'a', ...small, seconds: 2, noise: 80 }), 'mp4'],
    [
      await video(dir, { name: 'b', ...small, seconds: 1, codec: 'hevc', container: 'mov', noise: 30 }),
      'mov',
    ],
    [
      await video(dir, { name: 'c', ...small, seconds: 3, codec: 'mpeg4', container: 'avi', sound: 'none' }),
      'avi',
    ],
  ]
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function expectWithinBudget(
  [path, format]: [string, FormatName],
  budget_bytes: number,
  image_formats: readonly string[],
) {
  const run = await newRun()
  try {
    const made = await media.convert(
      await sourceOf(path, format),
      target({ budget_bytes, image_formats }),
      run,
    )
    expect(made.size).toBeLessThanOrEqual(budget_bytes)
    expect((await stat(made.path)).size).toBe(made.size)
    expect(run.percents.at(-1)).toBe(100)
  } catch (error) {
    if (!(error instanceof CannotConvert)) throw error
    expect(error.message).toMatch(/\d ?([KM]?B|s)\b/)
    expect(run.percents).not.toContain(100)
  }
}

/** Small budgets are the hard ones. */
const budgets = (most: number) =>
  fc.integer({ min: 0, max: 1000 }).map((n) => Math.floor(most * (n / 1000) ** 2))

test('a photo is never over its budget', () =>
  fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 3 }),
      budgets(500_000),
      fc.constantFrom(['jpg'], ['png', 'jpg'], ['webp']),
      async (index, budget, formats) => expectWithinBudget(photos[index] ?? ['', 'jpeg'], budget, formats),
    ),
    { numRuns: count({ exhaustive: 24, default: 12 }), endOnFailure: true },
  ))

test('a video is never over its budget', () =>
  fc.assert(
    fc.asyncProperty(fc.nat({ max: 2 }), budgets(400_000), async (index, budget) =>
      expectWithinBudget(videos[index] ?? ['', 'mp4'], budget, ['jpg']),
    ),
    { numRuns: count({ exhaustive: 10, default: 4 }), endOnFailure: true },
  ))
