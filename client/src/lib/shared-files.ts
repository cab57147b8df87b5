import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { SHARED_FILES } from './session.ts'
import { fileFrom, type StoredFile, storedFrom } from './stored-file.ts'

/** A file that another app has shared with this one. */
export interface SharedFile {
  id: number
  file: File
}

interface Schema extends DBSchema {
  files: {
    key: number
    value: StoredFile & { at: number }
  }
}
const KEPT_MS = 24 * 3_600_000

/** Opened for each use: an open connection would delay its deletion when somebody signs out. */
async function onDatabase<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>) {
  const database = await openDB<Schema>(SHARED_FILES, 1, {
    upgrade: (database) => void database.createObjectStore('files', { autoIncrement: true }),
  })
  try {
    return await work(database)
  } finally {
    database.close()
  }
}

/** Keeps all of them on the device, or none and rejects, as when it has no room. For the service worker too. */
export const keepSharedFiles = (files: readonly File[]) =>
  onDatabase(async (database) => {
    const work = database.transaction('files', 'readwrite', { durability: 'strict' })
    const at = Date.now()
    await Promise.all([...files.map((file) => work.store.add({ ...storedFrom(file), at })), work.done])
  })

/** Those of the last 24 hours, the first received first; older ones are deleted. */
export const readSharedFiles = () =>
  onDatabase(async (database) => {
    const work = database.transaction('files', 'readwrite')
    const found: SharedFile[] = []
    for await (const cursor of work.store) {
      if (cursor.value.at < Date.now() - KEPT_MS) await cursor.delete()
      else found.push({ id: cursor.key, file: fileFrom(cursor.value) })
    }
    await work.done
    return found
  })

export const forgetSharedFiles = (ids: readonly number[]) =>
  onDatabase(async (database) => {
    const work = database.transaction('files', 'readwrite')
    await Promise.all([...ids.map((id) => work.store.delete(id)), work.done])
  })
