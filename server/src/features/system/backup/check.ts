import type { Ctx } from '../../../kernel/context.ts'
import { digestOf } from '../../../kernel/storage/digest.ts'
import { nullIfMissing } from '../../../kernel/storage/disk.ts'
import { storedLines } from './dump.ts'
import { listedFiles } from './files.ts'
import { type Contents, filesKey, objectKey, readManifest, secretsKey, tableKey } from './manifest.ts'
import { openPlace, type Place } from './place.ts'

export interface BackupFault {
  kind: 'missing' | 'changed'
  /** Path in the place of the backup. */
  key: string
}

/**
 * Reads a backup, the newest unless `id` says another, and compares it with its manifest. `deep` reads every byte of the
 * files, otherwise only their sizes are compared. Throws AppError `not_found` without a backup.
 */
export async function checkBackup(
  ctx: Ctx,
  address: string,
  options: { id?: string | undefined; deep: boolean },
) {
  const place = await openPlace(ctx, address)
  try {
    const contents = await readManifest(place, options.id)
    return { contents, faults: await faultsOf(place, contents, options.deep) }
  } finally {
    place.storage.close()
  }
}

/** What a backup lacks of what its manifest says. */
export async function faultsOf(place: Place, contents: Contents, deep: boolean): Promise<BackupFault[]> {
  const { id } = contents
  const faults: BackupFault[] = []
  const parts = [
    ...contents.tables.map((table) => ({ ...table, key: tableKey(id, table.name) })),
    { ...contents.jobs, key: tableKey(id, '_jobs') },
  ]
  for (const { key, sha256, bytes } of parts) {
    const found = await digestOfLines(place, key)
    if (found === null) faults.push({ kind: 'missing', key })
    else if (found.sha256 !== sha256 || found.bytes !== bytes) faults.push({ kind: 'changed', key })
  }
  if (contents.has_secrets && (await place.storage.size(secretsKey(id))) === null)
    faults.push({ kind: 'missing', key: secretsKey(id) })
  const list = await place.storage.read(filesKey(id)).catch(nullIfMissing)
  if (list === null) return [...faults, { kind: 'missing', key: filesKey(id) }]
  if ((await digestOf(list)).sha256 !== contents.files.sha256)
    return [...faults, { kind: 'changed', key: filesKey(id) }]
  return [...faults, ...(await faultyFiles(place, id, deep))]
}

async function digestOfLines(place: Place, key: string) {
  const stored = await storedLines(place, key).catch(nullIfMissing)
  if (stored === null) return null
  try {
    for await (const _ of stored.lines);
  } catch {
    return { sha256: '', bytes: 0 }
  }
  return stored.result()
}

async function faultyFiles(place: Place, id: string, deep: boolean) {
  const faults: BackupFault[] = []
  const present = new Map<string, number>()
  for await (const { key, size } of place.storage.list('objects')) present.set(key, size)
  const read = new Set<string>()
  for await (const { sha256, size } of listedFiles(place, id)) {
    const key = objectKey(sha256)
    if (read.has(key)) continue
    read.add(key)
    const found = present.get(key)
    if (found === undefined) faults.push({ kind: 'missing', key })
    else if (found !== size) faults.push({ kind: 'changed', key })
    else if (deep && (await digestOf(await place.storage.read(key))).sha256 !== sha256)
      faults.push({ kind: 'changed', key })
  }
  return faults
}
