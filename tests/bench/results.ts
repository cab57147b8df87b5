import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What was measured last, by name and number of orders; the table is made of it, whatever part ran when. */
export const RESULTS = fileURLToPath(new URL('../.cache/bench/results.json', import.meta.url))

export interface Figure {
  name: string
  /** The number of orders in the database, where it matters. */
  size?: number
  unit: string
  product: number
  reference?: number
  /** More is better: how much of the reference's speed the product has. */
  ratio?: number
  /** Of the sources that were measured; with a plus when they had uncommitted changes. */
  commit: string
}

export function readFigures(): Figure[] {
  try {
    return JSON.parse(readFileSync(RESULTS, 'utf8')) as Figure[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
