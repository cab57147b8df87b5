import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StartProblem } from './problem.ts'
import { codeOf, isAlive, startedAt } from './processes.ts'

const holder = z.object({ pid: z.number(), started: z.string() })

/**
 * Allows one Garantia per state folder; throws StartProblem when another one runs. A lock is ignored when its
 * process is dead or its number belongs to another process by now.
 */
export function lockFolder(dir: string) {
  const file = join(dir, 'garantia.pid')
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, JSON.stringify({ pid: process.pid, started: startedAt(process.pid) }), { mode: 0o600 })
  try {
    while (!linked(mine, file)) {
      const other = readHolder(file)
      if (other) {
        throw new StartProblem(
          `O Garantia já está em execução nesta pasta (processo ${other.pid}, dados em ${dir}). ` +
            'Encerre-o antes, ou aponte DATA_DIR para outra pasta.',
        )
      }
      clearAway(file)
    }
  } finally {
    rmSync(mine, { force: true })
  }
  return { release: () => rmSync(file, { force: true }) }
}

/** Creates the lock by a hard link, which is atomic: nobody reads a half-written lock. */
function linked(from: string, to: string) {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function readHolder(file: string) {
  try {
    const { pid, started } = holder.parse(JSON.parse(readFileSync(file, 'utf8')))
    return isAlive(pid) && startedAt(pid) === started ? { pid } : undefined
  } catch {
    return undefined
  }
}

/** When two starts find the same stale lock, the rename lets only one of them remove it. */
function clearAway(file: string) {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
    rmSync(aside)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}
