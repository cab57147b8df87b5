import { programOf } from './packages.mjs'
import { run } from './processes.mjs'

/**
 * Checks style and import rules (Biome), types (tsc) and unused code (knip). All three run, so that one call
 * reports everything. Returns 0, or the exit code of the last that failed.
 */
export const check = (context) =>
  runAll(context, [
    ['@biomejs/biome', 'biome', 'ci', '.'],
    // Each checker works out the types of the libraries anew: the usual four take twice the processor time.
    ['typescript', 'tsc', '-b', '--checkers', '1'],
    ['knip', 'knip'],
  ])

/** Style and import rules alone, for the loop between editor and terminal. */
export const lint = (context) => runAll(context, [['@biomejs/biome', 'biome', 'ci', '.']])

async function runAll({ root, node, env }, programs) {
  let failed = 0
  for (const [name, program, ...args] of programs) {
    const code = await run(node, [programOf(root, name, program), ...args], { cwd: root, env })
    if (code !== 0) failed = code
  }
  return failed
}
