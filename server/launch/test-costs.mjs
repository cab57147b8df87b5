import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, relative } from 'node:path'

const LISTED_FILES = 15
/** The loop's time on the machine to which processor times are converted, in seconds. */
const REFERENCE_LOOP_S = 3.3
const LOOP = 'let sum = 2 ** 31; for (let i = 0; i < 2e8; i++) sum += i % 7'

/** Processor time (user and system) of every process of this machine so far, in seconds. */
const busySeconds = () =>
  sum(cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq)) / 1_000

/** How long this machine takes today for the loop, in seconds. */
function loopSeconds(node) {
  const code = `const before = process.cpuUsage(); (() => { ${LOOP} })(); console.log(process.cpuUsage(before).user)`
  return (Number(execFileSync(node, ['-e', code])) / 1e6) * 5
}

/**
 * Measures the parts of a test run. Processor time is that of the whole machine: it includes daemons such as
 * PostgreSQL, and whatever else runs meanwhile.
 */
export function testCosts(root, node) {
  const loop_s = loopSeconds(node)
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
      const costs = { loop_s: Math.round(loop_s * 10) / 10, parts: { ...parts, total } }
      if (level)
        writeFileSync(
          join(root, `tests/.artifacts/costs-${level}.json`),
          `${JSON.stringify(costs, null, 2)}\n`,
        )
      const kept = level ? keptCosts(root)[level] : undefined
      const lines = Object.entries(costs.parts).map(
        ([part, { cpu_s, wall_s }]) =>
          `  ${part.padEnd(8)} ${String(cpu_s).padStart(6)} s of processor time, ${String(wall_s).padStart(5)} s by the clock${difference(cpu_s / loop_s, kept, part)}`,
      )
      process.stdout.write(
        [
          '',
          'The slowest files, in seconds by the clock',
          ...slowest.map(([file, seconds]) => `  ${seconds.toFixed(1).padStart(6)}  ${file}`),
          `Costs (the loop of test-costs.mjs takes ${loop_s.toFixed(1)} s today; where it takes ${REFERENCE_LOOP_S} s this run needs ${Math.round((total.cpu_s * REFERENCE_LOOP_S) / loop_s)} s of processor time)`,
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

/** Compared in units of the loop, since the machine's speed varies from day to day. */
function difference(loops, kept, part) {
  const before = kept?.parts[part]
  if (!before) return ''
  const percent = Math.round((loops / (before.cpu_s / kept.loop_s) - 1) * 100)
  return ` (${percent >= 0 ? '+' : ''}${percent} % of processor time since the last version)`
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
