import { programOf } from './packages.mjs'
import { run } from './processes.mjs'

/**
 * Checks style and import rules (Biome), types (tsc) and unused code (knip). All three run, so that one call
 * reports everything.
 */
export async function check({ root, node, env }) {
  const programs = [
    [programOf(root, '@biomejs/biome'), 'ci', '.'],
    [programOf(root, 'typescript', 'tsc'), '-b'],
    [programOf(root, 'knip')],
  ]
  let failed = 0
  for (const [program, ...args] of programs) {
    const code = await run(node, [program, ...args], { cwd: root, env })
    if (code !== 0) failed = code
  }
  return failed
}
