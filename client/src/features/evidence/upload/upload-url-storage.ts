import type { PreviousUpload, UrlStorage } from 'tus-js-client'
import type { Upload } from './upload-item.ts'

const PREFIX = 'upload:'
/** The server forgets an unfinished upload a day after its last byte. */
const RETENTION_MS = 24 * 60 * 60 * 1_000

interface StoredUpload {
  address: string
  size: number
  at: number
}

/**
 * The same file for the same order, by the same person and with the same words. It stands in the browser's
 * storage, which others of a shared desk may open, so it names neither file nor words.
 */
export const fingerprintOf = ({ person, order, file, fields }: Upload) =>
  [
    person,
    order.id,
    file.size,
    file.lastModified,
    hash([file.name, fields.category ?? '', fields.description ?? ''].join('\0')),
  ].join('/')

/** FNV-1a: tells apart what already agrees in size and moment. crypto.subtle is missing on plain http. */
function hash(text: string) {
  let sum = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) sum = Math.imul(sum ^ byte, 0x01000193)
  return (sum >>> 0).toString(16)
}

/** Where unfinished uploads stand on the server, so that the same file chosen after a reload goes on. */
export function createUploadUrlStorage(
  storage: Storage = localStorage,
  now: () => number = () => Date.now(),
): UrlStorage & { find(fingerprint: string): string | null; forget(fingerprint: string): void } {
  // The store may be full or forbidden; then what is under way is at least known until the page is left.
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
