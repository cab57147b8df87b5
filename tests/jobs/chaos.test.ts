import { expect, test } from 'vitest'
import { runChaos } from '../support/chaos/run.ts'

test('an installation of several under load survives every fault, and nothing acknowledged is lost', {
  tags: ['exhaustive'],
  timeout: 900_000,
}, async () => {
  const report = await runChaos({
    seconds: 25,
    servers: 2,
    workers: 2,
    seed: Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000),
    patience: 120,
  })
  expect(report.broken, JSON.stringify(report)).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(0)
})
