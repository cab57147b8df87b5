import { execFileSync } from 'node:child_process'
import { Problem } from './processes.mjs'

/** What a running product is made of: browser tests and tests that start processes reach all of it. */
const PRODUCT =
  /^(client|migrations|server|shared|worker)\/(?!.*\.test\.tsx?$)|^(pnpm-lock\.yaml|package\.json)$/

/**
 * Which test runs the files changed since a commit (default: the last one) can reach. Tests in this process are
 * found by their imports; where the product itself changed, all tests that start it run.
 */
export function runsForChanges(root, since = 'HEAD') {
  const git = (...args) => execFileSync('git', args, { cwd: root }).toString().split('\n').filter(Boolean)
  let files
  try {
    files = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
  } catch {
    throw new Problem(`O git não conhece «${since}». Uso: npm test -- changed [commit]`)
  }
  const isProduct = files.some((file) => PRODUCT.test(file))
  const byImports = ['--changed', since, '--passWithNoTests']
  return isProduct
    ? [
        { part: 'unit', name: 'unit', args: ['--project', 'pure', '--project', 'server', ...byImports] },
        { part: 'unit', name: 'unit-processes', args: ['--project', 'processes'] },
        { part: 'e2e', name: 'e2e', args: [] },
      ]
    : [
        { part: 'unit', name: 'unit', args: byImports },
        { part: 'e2e', name: 'e2e', args: [`--only-changed=${since}`] },
      ]
}
