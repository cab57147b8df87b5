import type { PreviousUpload, UrlStorage } from 'tus-js-client'
import type { Upload } from './upload-item.ts'

const PREFIX = 'upload:'
/** The server deletes an unfinished upload a day after its last byte. */
const RETENTION_MS = 24 * 60 * 60 * 1_000

interface StoredUpload {
  address: string
  size: number
  at: number
}

/**
 * Identifies the same file for the same order, user, category and description. Stored in localStorage, which
 * other users of the machine can read, so file name and texts are hashed.
 */
export const fingerprintOf = ({ person, order, file, fields }: Upload) =>
  [
    person,
    order.id,
    file.size,
    file.lastModified,
    hash([file.name, fields.category ?? '', fields.description ?? ''].join('\0')),
  ].join('/')

/**
 * FNV-1a is enough to tell apart files that already agree in size and date; crypto.subtle is missing on plain
 * HTTP.
 */
function hash(text: string) {
  let sum = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) sum = Math.imul(sum ^ byte, 0x01000193)
  return (sum >>> 0).toString(16)
}

/** URLs of unfinished uploads on the server, so that the same file chosen again after a reload is resumed. */
export function createUploadUrlStorage(
  storage: Storage = localStorage,
  now: () => number = () => Date.now(),
): UrlStorage & { find(fingerprint: string): string | null; forget(fingerprint: string): void } {
  // Storage may be full or blocked; then the URLs are only known until the page is left.
  const known = new Map<string, StoredUpload>()
  const read = (fingerprint: string): StoredUpload | null => {
    const stored = known.get(fingerprint) ?? parse(attempt(() => storage.getItem(PREFIX + fingerprint)))
    return stored && now() - stored.at < RETENTION_MS ? stored : null
  }
  const forget = (fingerprint: string) => {
    known.delete(fingerprint)
    attempt(() => storage.removeItem(PREFIX + fingerprint))
  }
  const previous = (fingerprint: string): PreviousUpload[] => {
    const storedUpload = read(fingerprint)
    return storedUpload === null
      ? []
      : [
          {
            uploadUrl: storedUpload.address,
            urlStorageKey: fingerprint,
            size: storedUpload.size,
            metadata: {},
            creationTime: new Date(storedUpload.at).toString(),
            parallelUploadUrls: null,
          },
        ]
  }
  const all = () => Object.keys(attempt(() => ({ ...storage })) ?? {}).filter((key) => key.startsWith(PREFIX))
  for (const key of all()) if (read(key.slice(PREFIX.length)) === null) forget(key.slice(PREFIX.length))

  return {
    find: (fingerprint) => read(fingerprint)?.address ?? null,
    forget,
    findAllUploads: async () => all().flatMap((key) => previous(key.slice(PREFIX.length))),
    findUploadsByFingerprint: async (fingerprint) => previous(fingerprint),
    removeUpload: async (key) => forget(key),
    async addUpload(fingerprint, { uploadUrl, size }) {
      const storedUpload: StoredUpload = { address: uploadUrl ?? '', size: size ?? 0, at: now() }
      known.set(fingerprint, storedUpload)
      attempt(() => storage.setItem(PREFIX + fingerprint, JSON.stringify(storedUpload)))
      return fingerprint
    },
  }
}

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
function parse(text: string | null): StoredUpload | null {
  const storedUpload = attempt(() => JSON.parse(text ?? 'null') as StoredUpload | null)
  return storedUpload && typeof storedUpload.address === 'string' && typeof storedUpload.at === 'number'
    ? storedUpload
    : null
}
