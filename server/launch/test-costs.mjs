import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, relative } from 'node:path'

const LISTED_FILES = 15
/** Processor time (user and system) of every process of this machine so far, in seconds. */
const busySeconds = () =>
  sum(cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq)) / 1_000

/**
 * Measures the parts of a test run. Processor time is that of the whole machine: it includes daemons such as
 * PostgreSQL, and whatever else runs meanwhile.
 */
export function testCosts(root) {
  const parts = {}
  return {
    /** Runs `work` as one part, and returns what it returns. */
    async measure(part, work) {
      const [busy, began] = [busySeconds(), performance.now()]
      try {
        return await work()
      } finally {
        const wall_s = (performance.now() - began) / 1_000
        parts[part] = { cpu_s: Math.round(busySeconds() - busy), wall_s: Math.round(wall_s) }
      }
    },
    /**
     * Prints the slowest of `files` (seconds by test file) and the parts. A whole run has a `level`: its figures are
     * compared with those of the last version.
     */
    print(files, level) {
      const slowest = Object.entries(files)
        .sort(([, one], [, other]) => other - one)
        .slice(0, LISTED_FILES)
      const total = sumOf(Object.values(parts))
      const costs = { ...parts, total }
      if (level)
        writeFileSync(
          join(root, `tests/.artifacts/costs-${level}.json`),
          `${JSON.stringify(costs, null, 2)}\n`,
        )
      const kept = level ? keptCosts(root)[level] : undefined
      const lines = Object.entries(costs).map(
        ([part, { cpu_s, wall_s }]) =>
          `  ${part.padEnd(8)} ${String(cpu_s).padStart(6)} s of processor time, ${String(wall_s).padStart(5)} s by the clock${difference(cpu_s, kept?.[part])}`,
      )
      process.stdout.write(
        [
          '',
          'The slowest files, in seconds by the clock',
          ...slowest.map(([file, seconds]) => `  ${seconds.toFixed(1).padStart(6)}  ${file}`),
          'Costs, compared with the last version; the speed of a machine varies from day to day',
          ...lines,
          '',
        ].join('\n'),
      )
    },
  }
}

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0)
const sumOf = (parts) => ({
  cpu_s: sum(parts.map(({ cpu_s }) => cpu_s)),
  wall_s: sum(parts.map(({ wall_s }) => wall_s)),
})

/** The figures of the last version (CONTRIBUTING, «What a test costs»). */
function keptCosts(root) {
  try {
    return JSON.parse(readFileSync(join(root, 'tests/costs.json'), 'utf8'))
  } catch {
    return {}
  }
}

function difference(cpu_s, before) {
  if (!before) return ''
  const percent = Math.round((cpu_s / before.cpu_s - 1) * 100)
  return ` (${percent >= 0 ? '+' : ''}${percent} %)`
}

/** Seconds by test file, from the report of either runner. */
export function secondsByFile(root, { testResults = [], suites = [] }) {
  const seconds = {}
  for (const { name, startTime, endTime } of testResults)
    seconds[relative(root, name)] = (endTime - startTime) / 1_000
  for (const suite of suites) {
    const file = `tests/e2e/${suite.file}`
    seconds[file] = (seconds[file] ?? 0) + durationOf(suite) / 1_000
  }
  return seconds
}

const durationOf = ({ suites = [], specs = [] }) =>
  sum([
    ...suites.map(durationOf),
    ...specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
  ])
