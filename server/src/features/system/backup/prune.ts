import { listedFiles } from './files.ts'
import { type KeepRule, keptBackups } from './keep.ts'
import { backupIds, folderOf, manifestKey } from './manifest.ts'
import type { Place } from './place.ts'

/**
 * Removes the backups that the rule does not keep, and the files that no other backup needs. The caller holds the lock
 * of backups. Throws when the list of files of a kept backup is damaged; nothing has been removed then.
 */
export async function pruneBackups(place: Place, rule: KeepRule) {
  const ids = await backupIds(place)
  const kept = keptBackups(ids, rule)
  const gone = ids.filter((id) => !kept.has(id))
  if (gone.length === 0) return { backups: 0, files: 0 }
  const needed = new Set<string>()
  for (const id of kept) for await (const { sha256 } of listedFiles(place, id)) needed.add(sha256)
  for (const id of gone) {
    // From here on it is none: what a killed run leaves of it, the next removes.
    await place.storage.remove(manifestKey(id))
    await removeAll(place, folderOf(id))
  }
  const files = await removeAll(place, 'objects', (key) => !needed.has(key.slice(key.lastIndexOf('/') + 1)))
  return { backups: gone.length, files }
}

async function removeAll({ storage }: Place, folder: string, isGone = (_key: string) => true) {
  const keys: string[] = []
  for await (const { key } of storage.list(folder)) if (isGone(key)) keys.push(key)
  // Whatever lies deeper first: a folder goes with its last file.
  keys.sort((a, b) => b.split('/').length - a.split('/').length)
  for (const key of keys) await storage.remove(key)
  return keys.length
}
