import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { SHARED_FILES } from './session.ts'
import { fileFrom, type StoredFile, storedFrom } from './stored-file.ts'

/** A file that another app has shared with this one. */
export interface SharedFile {
  id: number
  file: File
  /** When it was received. */
  at: Date
  /** Whether somebody was signed in when it was received: then it is theirs alone. */
  hadPerson: boolean
  /** Whether the person has said that they shared it. */
  isConfirmed: boolean
}

interface Schema extends DBSchema {
  files: {
    key: number
    value: StoredFile & { at: number; person: number | null; is_confirmed: boolean }
  }
  /** Who is signed in on this device, under SIGNED_IN: the service worker does not see the session. */
  person: { key: string; value: number }
}
const VERSION = 2
const SIGNED_IN = 'signed_in'
const KEPT_MS = 24 * 3_600_000

/** Opened for each use: an open connection would delay its deletion when somebody signs out. */
async function onDatabase<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>) {
  const database = await openDB<Schema>(SHARED_FILES, VERSION, {
    upgrade(database) {
      // Files of version 1 have no person.
      for (const name of database.objectStoreNames) database.deleteObjectStore(name)
      database.createObjectStore('files', { autoIncrement: true })
      database.createObjectStore('person')
    },
  })
  try {
    return await work(database)
  } finally {
    database.close()
  }
}

/**
 * Keeps all of them on the device for who is signed in, or none and rejects, as when it has no room. For the service
 * worker too.
 */
export const keepSharedFiles = (files: readonly File[]) =>
  onDatabase(async (database) => {
    const work = database.transaction(['files', 'person'], 'readwrite', { durability: 'strict' })
    const person = (await work.objectStore('person').get(SIGNED_IN)) ?? null
    const about = { at: Date.now(), person, is_confirmed: false }
    const kept = work.objectStore('files')
    await Promise.all([...files.map((file) => kept.add({ ...storedFrom(file), ...about })), work.done])
  })

/**
 * Those of the last 24 hours that are of this person, who is signed in now, or of nobody yet, the first received first;
 * older ones and those of other people are deleted.
 */
export const readSharedFiles = (person: number) =>
  onDatabase(async (database) => {
    const work = database.transaction(['files', 'person'], 'readwrite')
    await work.objectStore('person').put(person, SIGNED_IN)
    const found: SharedFile[] = []
    for await (const cursor of work.objectStore('files')) {
      const { at, person: owner, is_confirmed: isConfirmed } = cursor.value
      if (at < Date.now() - KEPT_MS || (owner !== null && owner !== person)) await cursor.delete()
      else
        found.push({
          id: cursor.key,
          file: fileFrom(cursor.value),
          at: new Date(at),
          hadPerson: owner !== null,
          isConfirmed,
        })
    }
    await work.done
    return found
  })

/** This person says that they shared these: from now on they are theirs. */
export const confirmSharedFiles = (ids: readonly number[], person: number) =>
  onDatabase(async (database) => {
    const work = database.transaction('files', 'readwrite')
    for (const id of ids) {
      const file = await work.store.get(id)
      if (file) await work.store.put({ ...file, person, is_confirmed: true }, id)
    }
    await work.done
  })

/** The session has expired: what comes now is of nobody, until somebody signs in and confirms it. */
export const forgetWhoShares = () => onDatabase((database) => database.delete('person', SIGNED_IN))

export const forgetSharedFiles = (ids: readonly number[]) =>
  onDatabase(async (database) => {
    const work = database.transaction('files', 'readwrite')
    await Promise.all([...ids.map((id) => work.store.delete(id)), work.done])
  })
