import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findBrowser } from './browser.mjs'
import { runsForChanges } from './changed.mjs'
import { buildClient } from './client.mjs'
import { prepareDecoding } from './ffmpeg.mjs'
import { programOf } from './packages.mjs'
import { onParentExit } from './parents.mjs'
import { askToStop, isStopping, Problem, run, say } from './processes.mjs'
import { buildPrograms } from './programs.mjs'
import { secondsByFile, testCosts } from './test-costs.mjs'

const PARTS = { unit, e2e, operation }
/** What the whole of `npm test` runs; the others are asked for by name. */
const WHOLE = ['unit', 'e2e']
const USAGE = 'Uso: npm test [-- [exhaustive] [unit|e2e|operation [filtro] | changed [commit]]]'
/** The tag of the tests that only `npm test -- exhaustive` runs. */
const EXHAUSTIVE = 'exhaustive'

/**
 * `npm test` runs both parts to their end, even after failures; `npm test -- unit|e2e [filter]` runs one of
 * them, `npm test -- operation` what needs programs that not every machine can have, `npm test -- changed [commit]`
 * what the changed files can reach. `exhaustive` before any of these adds every combination. Returns 1 when a test
 * failed or the run was interrupted.
 */
export async function test({ root, node, env }, words) {
  const isExhaustive = words[0] === EXHAUSTIVE
  const [part, ...given] = isExhaustive ? words.slice(1) : words
  // Both runners work in tests/, and a filter that matches nothing would be left out in silence.
  const filter = given.map((one) => one.replace(/^tests\//, ''))
  const runs = runsFor(root, part, filter)
  const testsDir = join(root, 'tests')
  const artifacts = join(testsDir, '.artifacts')
  mkdirSync(artifacts, { recursive: true })
  const PATH = [dirname(node), env.PATH].join(process.platform === 'win32' ? ';' : ':')
  // Servers and workers are started some two hundred times: their compiled modules are kept from one to the next.
  const NODE_COMPILE_CACHE = join(root, 'node_modules', '.cache', 'compiled')
  // Those that root starts under another account keep theirs there too.
  mkdirSync(NODE_COMPILE_CACHE, { recursive: true })
  chmodSync(NODE_COMPILE_CACHE, 0o1777)
  const TMPDIR = env.TMPDIR ?? temporaryParent()
  const itsEnv = { ...env, PATH, NODE_COMPILE_CACHE, TMPDIR, EXHAUSTIVE: String(isExhaustive) }
  const context = { root, node, testsDir, env: itsEnv, isExhaustive }
  onParentExit(env, () => askToStop('SIGTERM'))
  const costs = testCosts(root)
  await costs.measure('build', async () => {
    itsEnv.PROGRAMS_DIR = await buildPrograms({ root, node, env })
    await prepareDecoding(context)
    // Built first, since a test of the start clones what was built; a failure counts below.
    if (runs.some((one) => one.part === 'e2e')) await buildClient(context).catch(() => {})
  })
  const total = { passed: 0, failed: 0, skipped: 0 }
  const failures = []
  const seconds = {}
  for (const { part, name, args } of runs) {
    if (isStopping()) continue
    const report = join(artifacts, `${name}.json`)
    rmSync(report, { force: true })
    const code = await costs.measure(name, () =>
      PARTS[part](context, args, report).catch((error) => {
        say(error instanceof Problem ? error.message : error.stack)
        return 1
      }),
    )
    const results = read(report)
    Object.assign(seconds, secondsByFile(root, results))
    const { failures: mine, ...counted } = COUNT[part](results)
    failures.push(...mine)
    // A part that failed without a failed test (a crash, no browser) counts as one failure.
    if (code !== 0 && counted.failed === 0) counted.failed = 1
    for (const key of Object.keys(total)) total[key] += counted[key]
  }
  costs.print(seconds, part === undefined && (isExhaustive ? EXHAUSTIVE : 'default'))
  // The failures are repeated at the end: of a long log often only the end is kept.
  for (const failure of failures) process.stdout.write(`\n  ✘ ${failure}`)
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`)
  return total.failed > 0 || isStopping() ? 1 : 0
}

/**
 * The file system in memory, where there is one with room. A run makes and removes some hundred thousand files,
 * two hundred copies of a database among them, and ext4 spends a sixth of the processor time of the tests without
 * a browser on looking for numbers that no file had in the last seconds.
 */
function temporaryParent() {
  const MEMORY = '/dev/shm'
  const ROOM = 4e9
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (Math.min(bavail * bsize, process.availableMemory()) >= ROOM) return MEMORY
  } catch {
    // There is none.
  }
  return tmpdir()
}

function runsFor(root, part, filter) {
  const runOf = (name) => ({ part: name, name, args: filter })
  if (part === undefined) return WHOLE.map(runOf)
  if (part === 'changed') return runsForChanges(root, filter[0])
  if (Object.hasOwn(PARTS, part)) return [runOf(part)]
  throw new Problem(USAGE)
}

function unit(context, args, report) {
  const command = args[0] === 'related' ? [] : ['run']
  const projects = args.includes('--project') ? [] : ['--project', '!operation']
  return vitest(context, [...command, ...args, ...projects], report)
}

function operation(context, args, report) {
  return vitest(context, ['run', '--project', 'operation', ...args], report)
}

function vitest({ node, testsDir, env, isExhaustive }, args, report) {
  const level = isExhaustive ? [] : ['--tags-filter', `!${EXHAUSTIVE}`]
  return run(node, [programOf(testsDir, 'vitest'), `--outputFile.json=${report}`, ...level, ...args], {
    cwd: testsDir,
    env,
  })
}

async function e2e({ root, node, testsDir, env, isExhaustive }, args) {
  await buildClient({ root, node, env })
  const CHROMIUM_PATH = await findBrowser(env)
  // Removed at the end with everything an interrupted test left in it. PostgreSQL's account must be able to
  // enter it.
  const TMPDIR = mkdtempSync(join(env.TMPDIR, 'garantia-e2e-'))
  chmodSync(TMPDIR, 0o711)
  const program = programOf(testsDir, '@playwright/test', 'playwright')
  const level = isExhaustive ? [] : ['--grep-invert', `@${EXHAUSTIVE}`]
  return run(node, [program, 'test', '--pass-with-no-tests', ...level, ...args], {
    cwd: testsDir,
    // Its compiled files would otherwise lie in TMPDIR, for this run only.
    env: {
      ...env,
      CHROMIUM_PATH,
      TMPDIR,
      PWTEST_CACHE_DIR: join(root, 'node_modules', '.cache', 'playwright'),
    },
  }).finally(() => rmSync(TMPDIR, { recursive: true, force: true, maxRetries: 5 }))
}

const COUNT = {
  unit({ numPassedTests: passed = 0, numFailedTests: failed = 0, testResults = [] }) {
    // A test of the other level is not part of this run.
    const skipped = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status, tags }) => status === 'skipped' && !tags.includes(EXHAUSTIVE)).length
    const failures = testResults
      .filter(({ status }) => status === 'failed')
      .flatMap(({ name, assertionResults }) => {
        const titles = assertionResults.filter(({ status }) => status === 'failed')
        return titles.length > 0 ? titles.map(({ fullName }) => `${name}: ${fullName}`) : [name]
      })
    return { passed, failed, skipped, failures }
  },
  operation: (results) => COUNT.unit(results),
  e2e({ stats: { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = {}, suites = [] }) {
    const failed = ({ suites = [], specs = [] }) => [
      ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
      ...suites.flatMap(failed),
    ]
    return { passed: expected + flaky, failed: unexpected, skipped, failures: suites.flatMap(failed) }
  },
}

function read(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return {}
  }
}
