import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { digestOf } from '../../../kernel/storage/digest.ts'
import { nullIfMissing } from '../../../kernel/storage/disk.ts'
import { storedLines } from './dump.ts'
import { listedFiles } from './files.ts'
import {
  type Contents,
  filesKey,
  type Manifest,
  manifestKey,
  objectKey,
  readManifest,
  secretsKey,
  tableKey,
} from './manifest.ts'
import { openPlace, type Place } from './place.ts'
import { hasData } from './queries.ts'
import { lastBackupIn } from './runs.ts'
import { houseTrust, judgeSigner, type SignatureState, signatureWords } from './signature.ts'

export interface BackupFault {
  kind: 'missing' | 'changed' | Exclude<SignatureState, 'signed'>
  /** Path in the place of the backup. */
  key: string
  /** Of a signature, what is to be known of it. */
  words?: string
}
interface Wishes {
  id?: string | undefined
  /** Reads every byte of the files, otherwise only their sizes are compared. */
  deep: boolean
  accept_unsigned?: boolean | undefined
  key_id?: string | undefined
}

/**
 * Reads a backup, the newest unless `id` says another, and compares it with its manifest, and that with its signature.
 * The newest that this installation has made there must be there too. Throws AppError `not_found` without a backup, and an
 * error in words for an altered manifest.
 */
export async function checkBackup(ctx: Ctx, address: string, wishes: Wishes) {
  const place = await openPlace(ctx, address)
  try {
    const manifest = await readManifest(place, wishes.id)
    const { contents } = manifest
    const faults = await faultsOf(place, contents, wishes.deep)
    return { contents, faults: [...(await ofInstallation(ctx, address, manifest, wishes)), ...faults] }
  } finally {
    place.storage.close()
  }
}

async function ofInstallation(
  ctx: Ctx,
  address: string,
  { contents, signer }: Manifest,
  { id, accept_unsigned, key_id }: Wishes,
): Promise<BackupFault[]> {
  const is_bare = !(await hasData((text) => sql.raw(text).execute(ctx.db)))
  const state = judgeSigner(signer, houseTrust(ctx, is_bare, key_id))
  const faults: BackupFault[] = []
  if (state !== 'signed' && !(state === 'unsigned' && accept_unsigned))
    faults.push({ kind: state, key: manifestKey(contents.id), words: signatureWords(state, signer) })
  const last = is_bare || id !== undefined ? null : await lastBackupIn(ctx, address)
  if (last?.backup_id && last.backup_id > contents.id)
    faults.push({ kind: 'missing', key: manifestKey(last.backup_id) })
  return faults
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
  if (contents.has_secrets) {
    const stored = await place.storage.read(secretsKey(id)).catch(nullIfMissing)
    const found = stored && (await digestOf(stored)).sha256
    if (found === null) faults.push({ kind: 'missing', key: secretsKey(id) })
    // Format 1 does not say which they are; opening them does.
    else if (contents.secrets_sha256 !== undefined && found !== contents.secrets_sha256)
      faults.push({ kind: 'changed', key: secretsKey(id) })
  }
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
