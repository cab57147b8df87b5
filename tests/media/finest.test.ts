import { findBestQuality } from '@garantia/worker/media/quality-search'
import { expect, test } from 'vitest'

/** An encoder whose bytes fall with quality as a JPEG's do, at a given steepness, with 0.8 % of sawtooth. */
function encoder(steepness: number, bytesAtBest: number, ratio: number) {
  const real = (quality: number) =>
    Math.round(
      bytesAtBest *
        ((100 - quality) / 12) ** -(steepness + (88 - quality) / 100) *
        (1 + ((quality * 7) % 5) / 500),
    )
  const tried: number[] = []
  return {
    tried,
    real,
    encode: async (quality: number) => {
      tried.push(quality)
      return { data: Buffer.alloc(real(quality)), quality }
    },
    drafts: { bytesAt: async (quality: number) => real(quality) / ratio, ratio: 0.86 },
  }
}
const RANGE = { worst: 50, beyond: 88 }

test.each([
  [0.4, 0.86],
  [0.8, 0.84],
  [1.6, 0.67],
  [0.6, 0.47],
  [1, 0.95],
])(
  'for steepness %d and draft ratio %d the best quality that fits is found in few attempts (D-21)',
  async (steepness, ratio) => {
    const most = []
    for (let budget = 20_000; budget < 1_100_000; budget += 13_337) {
      const { encode, drafts, real, tried } = encoder(steepness, 600_000, ratio)
      const found = await findBestQuality({ budget, ...RANGE, known: real(88) / ratio, encode, drafts })
      most.push(tried.length)
      if ('smallest' in found) {
        expect(found.smallest).toBe(real(50))
        expect(real(50)).toBeGreaterThan(budget)
        continue
      }
      expect(found.data.length).toBeLessThanOrEqual(budget)
      const finer = found.quality + 4
      if (finer < RANGE.beyond && found.data.length < 0.97 * budget)
        expect(real(finer)).toBeGreaterThan(budget)
    }
    expect(Math.max(...most)).toBeLessThanOrEqual(5)
    expect(most.reduce((sum, tries) => sum + tries, 0) / most.length).toBeLessThan(2.5)
  },
)

test('without drafts and without a known size the best quality that fits is found too', async () => {
  const { encode, real, tried } = encoder(0.9, 400_000, 1)
  const found = await findBestQuality({ budget: 250_000, ...RANGE, known: null, encode, drafts: false })
  expect('quality' in found && real(found.quality)).toBeLessThanOrEqual(250_000)
  expect('quality' in found && real(found.quality)).toBeGreaterThanOrEqual(0.95 * 250_000)
  expect(tried.length).toBeLessThanOrEqual(5)
})
