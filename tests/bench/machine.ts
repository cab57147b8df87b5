import { createHash, randomBytes } from 'node:crypto'
import { isQuick } from './options.ts'
import { record } from './record.ts'
import { bench, median, timed } from './support.ts'

/** The machine's own speed, without the product: it explains why absolute figures of two releases differ. */
const CONNECTIONS = 8
const MS = isQuick ? 200 : 1_500
const ROUNDS = 3

await bench('Machine', async ({ pool }) => {
  const plain = pool(CONNECTIONS)
  const queries = async () => {
    let count = 0
    const end = performance.now() + MS
    const one = async () => {
      for (; performance.now() < end; count++) await plain.query({ name: 'one', text: 'select 1' })
    }
    const ms = await timed(() => Promise.all(Array.from({ length: CONNECTIONS }, one)))
    return (count / ms) * 1_000
  }
  const bytes = randomBytes(64_000_000)
  const hashed = async () => {
    const before = process.cpuUsage()
    createHash('sha256').update(bytes).digest()
    return bytes.length / process.cpuUsage(before).user
  }
  const medianOf = async (work: () => Promise<number>) => {
    const values: number[] = []
    for (let round = 0; round < ROUNDS; round++) values.push(await work())
    return median(values)
  }
  record(
    { name: 'machine, bare pg', unit: '1/s', product: await medianOf(queries) },
    { name: 'machine, SHA-256', unit: 'MB/s of CPU', product: await medianOf(hashed) },
  )
})
