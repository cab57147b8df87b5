import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { KEPT_CLUSTER } from './orders-database.ts'
import type { BenchContext } from './support.ts'

/** No statement of a request may take longer, at a million orders. */
export const SLOW_MS = 250

/**
 * Lets PostgreSQL log slow statements of connections that are opened from now on. Returns a function that gives
 * them, the slowest first, each once.
 */
export async function watchStatements(benchContext: BenchContext, database: string) {
  await benchContext.asAdmin(`alter database ${database} set log_min_duration_statement = ${SLOW_MS}`)
  const file = join(KEPT_CLUSTER, 'postgres.log')
  const { size } = statSync(file)
  return () => {
    const said = readFileSync(file).subarray(size).toString()
    const worst = new Map<string, number>()
    for (const [, ms, text = ''] of said.matchAll(
      /duration: ([\d.]+) ms\s+[^:]*: ([^\n]*(?:\n\t[^\n]*)*)/g,
    )) {
      const statement = text.replace(/\s+/g, ' ').trim().slice(0, 200)
      worst.set(statement, Math.max(worst.get(statement) ?? 0, Number(ms)))
    }
    return [...worst].sort((a, b) => b[1] - a[1]).map(([text, ms]) => `${Math.round(ms)} ms: ${text}`)
  }
}
