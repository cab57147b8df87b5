import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { notFound } from '@garantia/shared/errors'
import { z } from 'zod'
import type { Config } from '../../../kernel/config.ts'
import { type Place, putVerified } from './place.ts'
import { isSignature, signContents } from './signature.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  /** Of the lines that COPY writes, before compression. */
  bytes: z.int(),
  sha256,
})
const chains = z.object({
  /** Chains of events, and a hash over the head of each. */
  events: z.object({ chains: z.int(), sha256 }),
  /** Batches of the security log, and the hash of the last. */
  security_log: z.object({ batches: z.int(), head: z.string().nullable() }),
})
const contents = z.object({
  /** Since 2 it is signed, and lists the secrets. */
  format: z.literal([1, 2]),
  id: z.string(),
  /** The moment whose data these are. */
  at: z.iso.datetime(),
  version: z.string(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(table),
  /** Jobs that waited or ran. */
  jobs: table,
  sequences: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  chains,
  files: z.object({ count: z.int(), bytes: z.int(), sha256 }),
  has_secrets: z.boolean(),
  secrets_sha256: sha256.optional(),
})
const manifest = contents.extend({
  manifest_sha256: sha256,
  /** The public key that has signed it. */
  signer: sha256.optional(),
  signature: z.base64().optional(),
})

export type TablePart = z.infer<typeof table>
export type ChainHeads = z.infer<typeof chains>
export type Contents = z.infer<typeof contents>
/** What a manifest says, and the public key (in hexadecimal) that has signed all of it; null when none has. */
export interface Manifest {
  contents: Contents
  signer: string | null
}

export const folderOf = (id: string) => `backups/${id}`
export const tableKey = (id: string, name: string) => `${folderOf(id)}/tables/${name}.copy.gz`
export const filesKey = (id: string) => `${folderOf(id)}/files.ndjson.gz`
export const secretsKey = (id: string) => `${folderOf(id)}/secrets.bin`
export const objectKey = (hash: string) => `objects/${hash.slice(0, 2)}/${hash}`
const MANIFEST = /^backups\/([^/]+)\/manifest\.json$/
export const manifestKey = (id: string) => `${folderOf(id)}/manifest.json`

const hashOf = (given: Contents) =>
  createHash('sha256')
    .update(JSON.stringify(contents.parse(given)))
    .digest('hex')

/** Writes the manifest, signed by the key of dossiers: from then on the backup exists. */
export async function writeManifest(place: Place, dir: string, given: Contents, config: Config) {
  const path = join(dir, 'manifest.json')
  const manifest_sha256 = hashOf(given)
  const signed = { ...given, manifest_sha256, ...signContents(config, manifest_sha256) }
  await writeFile(path, `${JSON.stringify(signed, null, 1)}\n`)
  await putVerified(place, manifestKey(given.id), path)
}

/** Ids of the complete backups, the oldest first. */
export async function backupIds({ storage }: Place) {
  const ids: string[] = []
  for await (const { key } of storage.list('backups')) {
    const id = MANIFEST.exec(key)?.[1]
    if (id !== undefined) ids.push(id)
  }
  return ids.sort()
}

/**
 * The manifest of the backup `id`, or of the newest; whose signature counts, `refuseUntrusted` says. Throws AppError
 * `not_found` when there is none, and an error in words when it was altered.
 */
export async function readManifest(place: Place, id?: string): Promise<Manifest> {
  const ids = await backupIds(place)
  const chosen = id ?? ids.at(-1)
  if (chosen === undefined || !ids.includes(chosen))
    throw notFound(
      ids.length === 0
        ? 'Não há nenhum backup completo nesse lugar.'
        : `Não há backup ${id}. Há: ${ids.join(', ')}.`,
    )
  const said = await text(await place.storage.read(manifestKey(chosen)))
  const { manifest_sha256, signer = null, signature = null, ...given } = parsed(said, chosen)
  const isSame = given.id === chosen && hashOf(given) === manifest_sha256
  const isUnsigned = signer === null && signature === null
  if (!isSame || !(isUnsigned || isSignature({ signer, signature }, manifest_sha256))) throw altered(chosen)
  return { contents: given, signer }
}

function parsed(said: string, id: string) {
  try {
    return manifest.parse(JSON.parse(said))
  } catch (error) {
    throw altered(id, error)
  }
}
const altered = (id: string, cause?: unknown) =>
  new Error(`O manifesto do backup ${id} foi alterado ou está danificado: use outro backup (--id).`, {
    cause,
  })
