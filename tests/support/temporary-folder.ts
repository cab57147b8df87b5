import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Under root, PostgreSQL's own account must be able to traverse it. */
export function temporaryFolder(name: string) {
  const dir = mkdtempSync(join(tmpdir(), `garantia-${name}-`))
  chmodSync(dir, 0o711)
  return dir
}
