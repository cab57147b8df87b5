import { expect, test } from 'vitest'
import { runChaos } from '../support/chaos/run.ts'
import { count, isExhaustive } from '../support/exhaustive.ts'

/** The same faults in every default run. */
const SEED = 20_261_130

test('an installation of several under load survives every fault, and nothing acknowledged is lost', {
  tags: ['exhaustive'],
  timeout: 900_000,
}, async () => {
  const report = await runChaos({
    seconds: count({ exhaustive: 25, default: 6 }),
    servers: 2,
    workers: 2,
    seed: Number(process.env.CHAOS_SEED ?? (isExhaustive ? Date.now() % 1_000_000 : SEED)),
    patience: 120,
    pause_ms: count({ exhaustive: 0, default: 300 }),
  })
  expect(report.broken, JSON.stringify(report)).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(0)
})
