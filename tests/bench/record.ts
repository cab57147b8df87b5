import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isQuick } from './options.ts'
import { type Figure, RESULTS, readFigures } from './results.ts'

/**
 * Keeps the figures at once, in place of those of the same name and size: an interrupted run loses only the
 * rest. Those of a quick run are only printed.
 */
export function record(...figures: Omit<Figure, 'commit'>[]) {
  if (isQuick) return console.log(figures)
  const isOther = ({ name, size }: Figure) => !figures.some((one) => one.name === name && one.size === size)
  const commit = execFileSync('git', ['describe', '--always', '--dirty=+'], { encoding: 'utf8' }).trim()
  const kept = [...readFigures().filter(isOther), ...figures.map((figure) => ({ ...figure, commit }))]
  mkdirSync(dirname(RESULTS), { recursive: true })
  writeFileSync(RESULTS, `${JSON.stringify(kept, null, 1)}\n`)
}
