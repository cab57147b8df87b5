import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BLURRED_BELOW } from '@garantia/shared/evidence/sharpness'
import { HASH_DISTANCE } from '@garantia/shared/evidence/warnings'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { photo, sourceOf, video } from '../support/media.ts'
import { media, newFolder, newRun } from './media-fixtures.ts'

let dir: string
beforeAll(async () => {
  dir = await newFolder()
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** A scene with edges everywhere, different for every seed: rectangles of many shades. */
async function detailedPicture(seed: number) {
  let state = seed
  const random = (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * most)
  }
  const pixels = Buffer.alloc(1600 * 1200 * 3)
  for (let shape = 0; shape < 120; shape++) {
    const [left, top, width, height] = [random(1600), random(1200), 60 + random(400), 60 + random(300)]
    const colour = [random(256), random(256), random(256)]
    for (let y = top; y < Math.min(1200, top + height); y++)
      for (let x = left; x < Math.min(1600, left + width); x++) pixels.set(colour, (y * 1600 + x) * 3)
  }
  return sharp(pixels, { raw: { width: 1600, height: 1200, channels: 3 } })
    .png()
    .toBuffer()
}
let serial = 0
async function previewOf(picture: Sharp) {
  const path = join(dir, `cena-${++serial}.jpg`)
  await picture.jpeg({ quality: 88 }).toFile(path)
  const made = await media.preview(await sourceOf(path, 'jpeg'), await newRun())
  if (!made) throw new Error('no preview')
  return made
}
const distance = (a: string | null, b: string | null) => {
  if (!a || !b) throw new Error('no fingerprint')
  return [...a].filter((digit, place) => digit !== b[place]).length
}

test('a photo out of focus is distinguished from a sharp one (D-23 V12)', async () => {
  const original = await detailedPicture(1)
  expect((await previewOf(sharp(original))).sharpness).toBeGreaterThan(BLURRED_BELOW * 5)
  expect((await previewOf(sharp(original).blur(6))).sharpness).toBeLessThan(BLURRED_BELOW)
})

test('a subject in focus before a blurred background is not a blurred photo (D-23 V12)', async () => {
  const original = await detailedPicture(2)
  const subject = await sharp(original).extract({ left: 0, top: 0, width: 500, height: 400 }).toBuffer()
  const picture = sharp(await sharp(original).blur(8).toBuffer()).composite([
    { input: subject, left: 60, top: 40 },
  ])
  expect((await previewOf(picture)).sharpness).toBeGreaterThan(BLURRED_BELOW)
})

test('copies of a picture share a perceptual hash, other pictures do not (D-23 V13)', async () => {
  const original = await detailedPicture(3)
  const { perceptual_hash } = await previewOf(sharp(original))
  expect(perceptual_hash).toMatch(/^[01]{64}$/)
  for (const copy of [
    sharp(original).resize(700),
    sharp(await sharp(original).jpeg({ quality: 30 }).toBuffer()),
    sharp(original).modulate({ brightness: 1.1 }),
  ])
    expect(distance(perceptual_hash, (await previewOf(copy)).perceptual_hash)).toBeLessThanOrEqual(
      HASH_DISTANCE,
    )
  for (const seed of [4, 5, 6, 7])
    expect(
      distance(perceptual_hash, (await previewOf(sharp(await detailedPicture(seed)))).perceptual_hash),
    ).toBeGreaterThan(HASH_DISTANCE * 2)
})

test('a plain surface has no fingerprint: it would match every other one (D-23 V13)', async () => {
  const plain = sharp({ create: { width: 1200, height: 900, channels: 3, background: '#777' } })
  expect((await previewOf(plain)).perceptual_hash).toBeNull()
})

test('a transparent picture and the poster of a video are judged too (beyond 2.5)', async () => {
  const path = join(dir, 'transparente.png')
  await sharp(await detailedPicture(8))
    .ensureAlpha(0.5)
    .png()
    .toFile(path)
  expect((await media.preview(await sourceOf(path, 'png'), await newRun()))?.perceptual_hash).toHaveLength(64)
  const clip = await video(dir, { seconds: 2 })
  expect((await media.preview(await sourceOf(clip, 'mp4'), await newRun()))?.perceptual_hash).toHaveLength(64)
})

test('the thumbnail stays small, whatever the judged picture (EVI-5)', async () => {
  const path = await photo(dir, { width: 3000, height: 2000 })
  const made = await media.preview(await sourceOf(path, 'jpeg'), await newRun())
  expect(await sharp(made?.path).metadata()).toMatchObject({ format: 'webp', width: 480, height: 320 })
})
