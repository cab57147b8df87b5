import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The path of an installed package's program, to be run by our Node without a shell in between. */
export function programOf(workspace, name, program = name.split('/').pop()) {
  const folder = join(workspace, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[program])
}
