import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from './processes.mjs'

const PRODUCT = /^(client|migrations|server|shared|worker)\/(?!.*\.test\.tsx?$)/
/** A change of these is one of every package. */
const DEPENDENCIES = /^(pnpm-lock\.yaml|pnpm-workspace\.yaml|(.+\/)?package\.json)$/
/** Tests that read sources and pages instead of importing them: ten seconds in all. */
const SOURCE_READERS = ['.']
/** Tests of jobs, and what tests import to start server, worker or commands: these are in no test's imports. */
const PROCESS_STARTERS = ['jobs']
const STARTED_BY = ['jobs/process.ts', 'support/behind-proxy.ts', 'support/child-script.ts']

/** The tests of these folders. This file also runs on the Node of the machine, which may be 18. */
const testsIn = (dir, folders) =>
  folders.flatMap((folder) =>
    readdirSync(join(dir, folder))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  )

/**
 * Which test runs the files changed since a commit (default: the last one) can reach. Tests in this process are
 * found by their imports. Those that start server or worker run when one of them changed, and the browser tests when
 * the product changed at all.
 */
export function runsForChanges(root, since = 'HEAD') {
  const git = (...args) => execFileSync('git', args, { cwd: root }).toString().split('\n').filter(Boolean)
  let files
  try {
    files = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
  } catch {
    throw new Problem(`O git não conhece «${since}». Uso: npm test -- changed [commit]`)
  }
  if (files.length === 0) return []
  const isProduct = files.some((file) => PRODUCT.test(file) || DEPENDENCIES.test(file))
  const isBackend = files.some(
    (file) => (PRODUCT.test(file) && !file.startsWith('client/')) || DEPENDENCIES.test(file),
  )
  const tests = join(root, 'tests')
  const reaching = [
    ...testsIn(tests, SOURCE_READERS),
    ...(isBackend ? [...testsIn(tests, PROCESS_STARTERS), ...STARTED_BY] : []),
  ]
  const changed = files.map((file) => join(root, file)).filter(existsSync)
  const unit = [
    'related',
    ...changed,
    ...reaching.map((file) => join(tests, file)),
    '--run',
    '--passWithNoTests',
  ]
  return [
    {
      part: 'unit',
      name: 'unit',
      args: [...unit, ...(isBackend ? ['--project', 'pure', '--project', 'server'] : [])],
    },
    ...(isBackend ? [{ part: 'unit', name: 'unit-processes', args: ['--project', 'processes'] }] : []),
    { part: 'e2e', name: 'e2e', args: isProduct ? [] : [`--only-changed=${since}`] },
  ]
}
