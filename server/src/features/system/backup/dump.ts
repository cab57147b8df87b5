import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type ClientBase, escapeIdentifier } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Contents, type TablePart, tableKey } from './manifest.ts'
import { type Place, putVerified } from './place.ts'
import { chainHeads, copiedTables, JOBS, migrationsRun, sequenceValues } from './queries.ts'

export type DatabasePart = Pick<Contents, 'migrations' | 'tables' | 'jobs' | 'sequences' | 'chains'>

/** Copies every table, the waiting jobs and the values of the sequences, all of one moment. */
export async function dumpDatabase(client: ClientBase, place: Place, id: string): Promise<DatabasePart> {
  await client.query('begin isolation level repeatable read read only')
  try {
    const tables: TablePart[] = []
    const migrations = await migrationsRun(client)
    const chains = await chainHeads(client)
    for (const { name, columns } of await copiedTables(client)) {
      const part = await dump(client, place, tableKey(id, name), copySource(name, columns))
      tables.push({ name, columns, ...part })
    }
    const jobs = {
      name: 'jobs',
      columns: ['job'],
      ...(await dump(client, place, `${tableKey(id, '_jobs')}`, `(${JOBS})`)),
    }
    // Sequences know no snapshot: read last, they are at least as far as the rows.
    return { migrations, tables, jobs, sequences: await sequenceValues(client), chains }
  } finally {
    await client.query('rollback')
  }
}

export const copySource = (name: string, columns: readonly string[]) =>
  `public.${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')})`

async function dump(client: ClientBase, place: Place, key: string, source: string) {
  return place.within(async (dir) => {
    const path = join(dir, 'table')
    const counted = digest()
    const rows = client.query(copyTo(`copy ${source} to stdout`))
    await pipeline(rows, counted.stream, createGzip({ level: 6 }), createWriteStream(path, { mode: 0o600 }))
    await putVerified(place, key, path)
    return { rows: rows.rowCount, ...counted.result() }
  })
}

/** What COPY writes of a table now, as it would be recorded. */
export async function digestTable(client: ClientBase, source: string) {
  const counted = digest()
  const rows = client.query(copyTo(`copy ${source} to stdout`))
  await pipeline(rows, counted.stream, async (chunks: AsyncIterable<Buffer>) => {
    for await (const _ of chunks);
  })
  return { rows: rows.rowCount, ...counted.result() }
}

/** The lines of a table in the place, and after them whether they are those that were recorded. */
export async function storedLines(place: Place, key: string) {
  const counted = digest()
  const stored = await place.storage.read(key)
  const unpacked = createGunzip()
  stored.on('error', (error) => unpacked.destroy(error))
  unpacked.on('error', (error) => counted.stream.destroy(error))
  return { lines: stored.pipe(unpacked).pipe(counted.stream), result: counted.result }
}

function digest() {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}
