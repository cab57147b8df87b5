import { type DBSchema, type IDBPDatabase, type OpenDBCallbacks, openDB } from 'idb'

/** What a connection that the browser has ended says: iPhones do so with pages in the background. */
const ENDED = ['InvalidStateError', 'UnknownError']

/** Works on a database of this browser. Rejects where a browser keeps nothing for pages, or has no room. */
export function browserDatabase<Schema extends DBSchema>(
  name: string,
  upgrade: NonNullable<OpenDBCallbacks<Schema>['upgrade']>,
) {
  let opened: Promise<IDBPDatabase<Schema>> | undefined
  const forget = () => {
    opened = undefined
  }
  const open = () => {
    opened ??= openDB<Schema>(name, 1, {
      upgrade,
      terminated: forget,
      // It is deleted, here or in another tab.
      blocking(_, __, { target }) {
        ;(target as IDBDatabase).close()
        forget()
      },
    })
    opened.catch(forget)
    return opened
  }
  return async <Result>(work: (database: IDBPDatabase<Schema>) => Promise<Result>): Promise<Result> => {
    try {
      return await work(await open())
    } catch (error) {
      if (!(error instanceof DOMException) || !ENDED.includes(error.name)) throw error
      forget()
      return work(await open())
    }
  }
}
