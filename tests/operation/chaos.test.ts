import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runChaos } from '../support/chaos/run.ts'

const { CHAOS_MINUTES = '10', CHAOS_SEED = '1' } = process.env
const minutes = Number(CHAOS_MINUTES)
const REPORT = fileURLToPath(new URL('../.artifacts/chaos.json', import.meta.url))

test('three servers and three workers under load survive every fault, and nothing acknowledged is lost', {
  timeout: (minutes + 15) * 60_000,
}, async () => {
  const report = await runChaos({
    ...{ seconds: minutes * 60, servers: 3, workers: 3 },
    ...{ seed: Number(CHAOS_SEED), patience: 60, pause_ms: 4_000, backsUp: true },
  })
  mkdirSync(new URL('../.artifacts', import.meta.url), { recursive: true })
  writeFileSync(REPORT, JSON.stringify(report, null, 2))
  console.info(JSON.stringify(report, null, 2))
  expect(report.broken).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(10 * minutes)
})
