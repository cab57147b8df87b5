import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readFigures } from './results.ts'
import { digits, markdownOf, type Row } from './table.ts'

/** The results by release, the newest first. */
const PAGE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url))
const MARK = '<!-- releases -->\n'
/** A ratio that is worse by this part of the one kept last fails a comparison. */
const WORSE_BY = 1 / 3

/** Adds the results as those of a release. */
export function keep(release: string, rows: Row[], missed: string[]) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const speed = readFigures()
    .filter(({ name }) => name.startsWith('machine, '))
    .map(({ name, product, unit }) => `${name.slice('machine, '.length)} ${digits(product)} ${unit}`)
  const about = [
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${process.version}`,
    `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? process.arch}, ${Math.round(totalmem() / 1e9)} GB`,
    ...speed,
  ].join('; ')
  const list =
    missed.length === 0 ? 'Every measured goal is met.' : missed.map((one) => `- ${one}`).join('\n')
  const section = `\n## ${release}\n\n${about}\n\n${markdownOf(rows)}\n\nMissed:\n\n${list}\n`
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(MARK, () => MARK + section),
  )
}

/** Judged ratios that are a third worse than those kept last, and kept ones that were not measured now. */
export function regressions(rows: Row[], page = readFileSync(PAGE, 'utf8')) {
  const [, last = ''] = page.slice(page.indexOf(MARK) + MARK.length).split(/^## .*$/m)
  const now = new Map(rows.map((row) => [row.work, row]))
  const worse: string[] = []
  const missing: string[] = []
  for (const line of last.split('\n')) {
    const [, , work = '', , , , ratio] = line.split('|').map((cell) => cell.trim())
    const before = Number(ratio)
    if (!line.startsWith('| ') || !before) continue
    const is = now.get(work)
    if (!is || is.ratio === null) missing.push(`${work}: last kept ${digits(before)}`)
    else {
      const isWorse =
        is.worse === 'lower' ? is.ratio < before * (1 - WORSE_BY) : is.ratio > before / (1 - WORSE_BY)
      if (is.worse && isWorse) worse.push(`${work}: ${digits(is.ratio)}, last kept ${digits(before)}`)
    }
  }
  return { worse, missing }
}
