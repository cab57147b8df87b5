import { forgetSharedFiles, type SharedFile } from '../../../lib/shared-files.ts'
import { fileIdentity, isOver } from '../upload/upload-item.ts'
import { uploads } from '../upload/uploads.ts'

/** Forgets each of these files as soon as the device keeps it as an upload, or it has arrived or was refused. */
export function forgetOnceSafe(files: readonly SharedFile[]) {
  const left = new Map(files.map(({ id, file }) => [fileIdentity(file), id]))
  const before = new Set(uploads.items().map(({ id }) => id))
  const end = uploads.subscribe(() => {
    const safe = uploads.items().filter((item) => (item.is_kept || isOver(item)) && !before.has(item.id))
    const ids = safe.flatMap(({ file }) => left.get(fileIdentity(file)) ?? [])
    if (ids.length === 0) return
    for (const { file } of safe) left.delete(fileIdentity(file))
    forgetSharedFiles(ids).catch(() => {})
    if (left.size === 0) end()
  })
}
