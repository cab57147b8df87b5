import { mkdir, mkdtemp, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/**
 * Temporary folders of one process. They lie on the same disk as a disk storage, so that a finished file is
 * renamed instead of copied.
 */
export interface Scratch {
  /** Runs the work in a new private folder, which is removed afterwards whether or not the work throws. */
  within<T>(purpose: string, work: (dir: string) => Promise<T>): Promise<T>
  /** A new private folder; the caller removes it. */
  make(purpose: string): Promise<string>
  /** Removes every temporary folder of this process. */
  close(): Promise<void>
}

const OTHER_HOST_DAYS = 1

/**
 * Creates this process's temporary folder (mode 0700) below `root`, after removing what ended processes left
 * there.
 */
export async function openScratch(root: string): Promise<Scratch> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await sweep(root)
  const own = await mkdtemp(join(root, `${process.pid}@${hostname()}@`))
  const make = (purpose: string) => mkdtemp(join(own, `${purpose}-`))
  return {
    make,
    async within(purpose, work) {
      const dir = await make(purpose)
      try {
        return await work(dir)
      } finally {
        // Most are empty by then: what was made in them was moved away.
        await rmdir(dir).catch(() => rm(dir, { recursive: true, force: true }))
      }
    },
    close: () => rm(own, { recursive: true, force: true }),
  }
}

/**
 * Removes folders of processes that no longer run: of this host at once, of another host that shares the disk
 * after one day.
 */
async function sweep(root: string) {
  for (const name of await readdir(root)) {
    const [pid, host] = name.split('@')
    if (!host) continue
    if (host === hostname() ? isAlive(Number(pid)) : await isYoung(join(root, name))) continue
    await rm(join(root, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number) {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
const isYoung = async (path: string) => Date.now() - (await stat(path)).mtimeMs < OTHER_HOST_DAYS * 86_400_000
