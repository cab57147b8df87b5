import { copyFileSync, openSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

const LIMIT_BYTES = 10_000_000

const fileIn = (dir: string) => join(dir, 'postgres.log')

/** Opens the log for appending; `said()` returns what was written since. Root calls all of this as the account. */
export function openLog(dir: string) {
  const file = fileIn(dir)
  // Of a version that opened it as root.
  if (!isOurs(file)) renameSync(file, `${file}.1`)
  cutWhenLong(dir)
  const fd = openSync(file, 'a', 0o600)
  const start = statSync(file).size
  return { fd, said: () => readFileSync(file).subarray(start).toString().trim() }
}

function isOurs(file: string) {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined || process.geteuid === undefined || found.uid === process.geteuid()
}

/**
 * Rotates a log of 10 MB or more. The server keeps the file open, so it is copied and truncated in place,
 * never renamed.
 */
export function cutWhenLong(dir: string) {
  const file = fileIn(dir)
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size < LIMIT_BYTES || !isOurs(file)) return
  rmSync(`${file}.1`, { force: true })
  copyFileSync(file, `${file}.1`)
  truncateSync(file)
}
