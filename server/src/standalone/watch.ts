import { watch } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['shared/src', 'migrations', 'server/src', 'worker/src']
const QUIET_MS = 200

/** Calls back 200 ms after the last change to a source file. Returns the function that stops watching. */
export function watchSources(root: string, onChange: () => void) {
  let timer: NodeJS.Timeout | undefined
  const watchers = FOLDERS.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (!file?.endsWith('.ts') || file.endsWith('.test.ts') || file.includes('node_modules')) return
      clearTimeout(timer)
      timer = setTimeout(onChange, QUIET_MS)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
