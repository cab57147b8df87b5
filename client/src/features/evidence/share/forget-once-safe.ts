import { forgetSharedFiles, type SharedFile } from '../../../lib/shared-files.ts'
import { isFinal } from '../upload/keep-uploads.ts'
import { fileIdentity } from '../upload/upload-item.ts'
import { uploads } from '../upload/uploads.ts'

let endLast = () => {}

/**
 * Forgets each of these files as soon as the device keeps it as an upload, or it has arrived or never will; nothing
 * more of those that an order was chosen for before.
 */
export function forgetOnceSafe(files: readonly SharedFile[]) {
  endLast()
  let left = files
  const before = new Set(uploads.items().map(({ id }) => id))
  endLast = uploads.subscribe(() => {
    const safe = new Set(
      uploads
        .items()
        .filter((item) => (item.is_kept || isFinal(item)) && !before.has(item.id))
        .map(({ file }) => fileIdentity(file)),
    )
    const done = left.filter(({ file }) => safe.has(fileIdentity(file)))
    if (done.length === 0) return
    left = left.filter((one) => !done.includes(one))
    forgetSharedFiles(done.map(({ id }) => id)).catch(() => {})
    if (left.length === 0) endLast()
  })
}
