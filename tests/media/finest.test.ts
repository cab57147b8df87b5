import { findBestQuality } from '@garantia/worker/media/quality-search'
import { expect, test } from 'vitest'

/**
 * An encoder whose bytes fall with quality as a JPEG's do, at a given steepness, with 0.8 % of sawtooth, and
 * estimates that are wrong by a factor.
 */
function encoder(steepness: number, bytesAtBest: number, factor: number) {
  const real = (quality: number) =>
    Math.round(
      bytesAtBest *
        ((100 - quality) / 12) ** -(steepness + (88 - quality) / 100) *
        (1 + ((quality * 7) % 5) / 500),
    )
  const tried: number[] = []
  const estimated: number[] = []
  return {
    tried,
    estimated,
    real,
    encode: async (quality: number) => {
      tried.push(quality)
      return { data: Buffer.alloc(real(quality)), quality }
    },
    estimate: async (quality: number) => {
      estimated.push(quality)
      return real(quality) * factor
    },
  }
}
const RANGE = { worst: 50, beyond: 88 }
const average = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length

test.each([
  [0.4, 1, 1.2],
  [0.8, 1.015, 1.2],
  [1.6, 0.99, 1.2],
  [0.6, 1.3, 1.5],
  [1, 0.9, 1.5],
])(
  'for steepness %d and estimates of %d times the bytes the best quality that fits is found in few attempts (D-21)',
  async (steepness, factor, attempts) => {
    const [most, estimates]: number[][] = [[], []]
    for (let budget = 20_000; budget < 1_100_000; budget += 13_337) {
      const { encode, estimate, real, tried, estimated } = encoder(steepness, 600_000, factor)
      const known = real(88) / 0.86
      const found = await findBestQuality({ budget, ...RANGE, known, estimate, encode })
      most?.push(tried.length)
      estimates?.push(estimated.length)
      if ('smallest' in found) {
        expect(Math.abs(found.smallest / real(50) - 1)).toBeLessThanOrEqual(Math.abs(factor - 1) + 0.01)
        expect(real(50) * Math.max(1, factor)).toBeGreaterThan(budget)
        continue
      }
      expect(found.data.length).toBeLessThanOrEqual(budget)
      const finer = found.quality + 4
      if (finer < RANGE.beyond && found.data.length < 0.97 * budget)
        expect(real(finer)).toBeGreaterThan(budget)
    }
    expect(Math.max(...(most ?? []))).toBeLessThanOrEqual(5)
    expect(average(most ?? [])).toBeLessThanOrEqual(attempts)
    expect(average(estimates ?? [])).toBeLessThanOrEqual(2)
  },
)

test('without a known size the best quality that fits is found too', async () => {
  const { encode, estimate, real, tried } = encoder(0.9, 400_000, 1)
  const found = await findBestQuality({ budget: 250_000, ...RANGE, known: null, estimate, encode })
  expect('quality' in found && real(found.quality)).toBeLessThanOrEqual(250_000)
  expect('quality' in found && real(found.quality)).toBeGreaterThanOrEqual(0.95 * 250_000)
  expect(tried.length).toBeLessThanOrEqual(5)
})
