import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { keep, regressions } from './kept.ts'
import { options } from './options.ts'
import { profilesIn } from './profile.ts'
import { goalRows, markdownOf, missed } from './table.ts'

/** What each part needs is the machine for itself: one after the other. */
const PARTS = [
  ...'machine orders claims growth writers palette pollers converting directus validate import remittance trail'.split(
    ' ',
  ),
  ...'sign-in upload zip conversion reading queue backup start browser attack hostile-media'.split(' '),
]
/** `table` measures nothing and shows what was measured last. */
const SHOWN_ONLY = 'table'

const { part } = options
if (part && part !== SHOWN_ONLY && !PARTS.includes(part)) {
  console.error(`npm run bench -- [${[...PARTS, SHOWN_ONLY].join(' | ')}] [part of a name …]`)
  process.exit(2)
}
const failed: string[] = []
for (const name of part === SHOWN_ONLY ? [] : part ? [part] : PARTS) {
  const program = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const args = part ? process.argv.slice(2) : [name, ...process.argv.slice(2)]
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' })
  if (status !== 0) failed.push(name)
}
const rows = goalRows()
const misses = missed(rows)
console.log(`\n${markdownOf(goalRows(undefined, options.all))}`)
console.log(misses.length === 0 ? '\nEvery measured goal is met.' : `\nMissed:\n${misses.join('\n')}`)
for (const name of failed) console.log(`${name} ended with an error`)
if (options.profile) console.log((await profilesIn(options.profile)).join('\n'))
if (options.keep) keep(options.keep, rows, misses)
const { worse, missing } = options.compare ? regressions(rows) : { worse: [], missing: [] }
for (const one of missing) console.log(`not compared: ${one}`)
for (const one of worse) console.log(`worse by a third: ${one}`)
process.exit(failed.length > 0 || worse.length > 0 ? 1 : 0)
