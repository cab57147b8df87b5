import { listedFiles } from './files.ts'
import { type KeepRule, keptBackups } from './keep.ts'
import { backupIds, manifestKey } from './manifest.ts'
import type { Place } from './place.ts'

/**
 * Removes the backups that the rule does not keep, what others that were killed have left, and the files that no
 * backup needs any more. The caller holds the lock of backups. Throws when the list of files of a kept backup is damaged; nothing has been removed then.
 */
export async function pruneBackups(place: Place, rule: KeepRule) {
  const ids = await backupIds(place)
  const kept = keptBackups(ids, rule)
  const gone: string[] = []
  for await (const { key } of place.storage.list('backups')) if (!kept.has(backupOf(key))) gone.push(key)
  if (gone.length === 0) return { backups: 0, files: 0 }
  const needed = new Set<string>()
  for (const id of kept) for await (const { sha256 } of listedFiles(place, id)) needed.add(sha256)
  // Without its manifest it is none: what a killed run leaves of it, the next removes.
  const complete = ids.filter((id) => !kept.has(id))
  for (const id of complete) await place.storage.remove(manifestKey(id))
  // Whatever lies deeper first: a folder goes with its last file.
  for (const key of gone.toSorted((a, b) => depthOf(b) - depthOf(a))) await place.storage.remove(key)
  const unneeded: string[] = []
  for await (const { key } of place.storage.list('objects'))
    if (!needed.has(key.slice(key.lastIndexOf('/') + 1))) unneeded.push(key)
  for (const key of unneeded) await place.storage.remove(key)
  return { backups: complete.length, files: unneeded.length }
}

const backupOf = (key: string) => key.split('/')[1] ?? ''
const depthOf = (key: string) => key.split('/').length
