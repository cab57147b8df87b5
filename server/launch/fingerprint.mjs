import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * SHA-256 over names and contents of these files and folders, without tests, packages and what is hidden; what is
 * absent counts as empty.
 */
export function fingerprint(root, sources) {
  const hash = createHash('sha256')
  for (const source of sources)
    for (const file of filesOf(root, source)) hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function filesOf(root, path) {
  if (!existsSync(join(root, path))) return []
  try {
    return readdirSync(join(root, path))
      .filter((name) => !name.startsWith('.') && name !== 'node_modules')
      .sort()
      .flatMap((name) => filesOf(root, join(path, name)))
  } catch {
    return path.endsWith('.test.ts') ? [] : [path]
  }
}
