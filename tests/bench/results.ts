import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What was measured last, by name and number of orders; the table is made of it, whatever part ran when. */
const FILE = fileURLToPath(new URL('../.cache/bench/results.json', import.meta.url))

export interface Figure {
  name: string
  /** The number of orders in the database, where it matters. */
  size?: number
  unit: string
  product: number
  reference?: number
  /** More is better: how much of the reference's speed the product has. */
  ratio?: number
  measured_at: string
}

export function readFigures(): Figure[] {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Figure[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Keeps the figures at once, in place of those of the same name and size: an interrupted run loses only the rest. */
export function record(...figures: Omit<Figure, 'measured_at'>[]) {
  const measured_at = new Date().toISOString()
  const isNew = ({ name, size }: Figure) => !figures.some((one) => one.name === name && one.size === size)
  const kept = [...readFigures().filter(isNew), ...figures.map((figure) => ({ ...figure, measured_at }))]
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(FILE, `${JSON.stringify(kept, null, 1)}\n`)
}
