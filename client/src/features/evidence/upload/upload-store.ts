import type { DBSchema } from 'idb'
import { browserDatabase } from '../../../lib/browser-database.ts'
import { fileFrom, type StoredFile, storedFrom } from '../../../lib/stored-file.ts'
import { newUuid } from '../../../lib/uuid.ts'
import type { KeptUpload, UploadStore } from './upload-item.ts'

/** A file that outlives its page. */
interface UploadFile extends StoredFile, Pick<KeptUpload, 'id' | 'order' | 'fields'> {}
/** Apart from the bytes, which are not written again when a page takes a file over. */
interface Sending {
  id: string
  person: number
  /** Names the page that sends it; another takes it over when that one is gone. */
  page: string
  is_paused: boolean
  at: number
}
interface Uploads extends DBSchema {
  files: { key: string; value: UploadFile }
  sendings: { key: string; value: Sending }
}

/** Nobody signs in any more who would send what is older. */
const KEPT_MS = 30 * 24 * 3_600_000

const page = newUuid()
const lockOf = (page: string) => `envios/${page}`
/** From the first use until this page is left: it says to the others that this one lives. */
let ownLock: Promise<void> | undefined
const holdLock = () => {
  ownLock ??= new Promise<void>((resolve, reject) => {
    navigator.locks
      .request(lockOf(page), () => {
        resolve()
        return new Promise(() => {})
      })
      .catch(reject)
  })
  return ownLock
}

const onDatabase = browserDatabase<Uploads>('envios', (database) => {
  database.createObjectStore('files', { keyPath: 'id' })
  database.createObjectStore('sendings', { keyPath: 'id' })
})

/** The store of this browser, which its pages share. */
export const uploadStore: UploadStore = {
  async keep({ id, person, order, file, fields }) {
    await holdLock()
    askToStay()
    await onDatabase(async (database) => {
      const work = database.transaction(['files', 'sendings'], 'readwrite', { durability: 'strict' })
      await Promise.all([
        work.objectStore('files').put({ id, order, fields, ...storedFrom(file) }),
        work.objectStore('sendings').put({ id, person, page, is_paused: false, at: Date.now() }),
        work.done,
      ])
    })
  },
  forget: (ids) =>
    onDatabase(async (database) => {
      const work = database.transaction(['files', 'sendings'], 'readwrite')
      const stores = [work.objectStore('files'), work.objectStore('sendings')]
      await Promise.all([...ids.flatMap((id) => stores.map((store) => store.delete(id))), work.done])
    }),
  setPaused: (ids, is_paused) =>
    onDatabase(async (database) => {
      const work = database.transaction('sendings', 'readwrite')
      for (const id of ids) {
        const one = await work.store.get(id)
        if (one) void work.store.put({ ...one, is_paused })
      }
      await work.done
    }),
  async takeOver(person) {
    await holdLock()
    return onDatabase(async (database) => {
      // Those that live are asked after what was read: a page that began in between has read it too.
      const all = await database.getAll('sendings')
      const { held = [] } = await navigator.locks.query()
      const living = new Set(held.map(({ name }) => name))
      const left = all.filter((one) => !living.has(lockOf(one.page)))
      const isOld = ({ at }: Sending) => at < Date.now() - KEPT_MS
      const work = database.transaction(['files', 'sendings'], 'readwrite')
      const taken: KeptUpload[] = []
      const [files, sendings] = [work.objectStore('files'), work.objectStore('sendings')]
      for (const { id } of left.filter(isOld)) {
        void sendings.delete(id)
        void files.delete(id)
      }
      const own = left.filter((one) => one.person === person && !isOld(one))
      for (const { id, page: before, is_paused } of own.sort((a, b) => (a.id < b.id ? -1 : 1))) {
        const [now, stored] = await Promise.all([sendings.get(id), files.get(id)])
        if (now?.page !== before || !stored) continue
        void sendings.put({ ...now, page })
        const { order, fields } = stored
        taken.push({ id, person, order, fields, file: fileFrom(stored), is_paused })
      }
      await work.done
      return taken
    })
  },
}

let isAsked = false
/** The browser may otherwise clear what is kept when the disk is full. */
function askToStay() {
  if (isAsked) return
  isAsked = true
  void navigator.storage?.persist?.()
}
