import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { nullIfMissing } from './storage/disk.ts'

/**
 * Temporary folders of one process. They lie on the same disk as a disk storage, so that a finished file is
 * renamed instead of copied.
 */
export interface Scratch {
  /** Name of this process's own folder. */
  folder: string
  /** Runs the work in a new private folder, which is removed afterwards whether or not the work throws. */
  within<T>(purpose: string, work: (dir: string) => Promise<T>): Promise<T>
  /** A new private folder; the caller removes it. */
  make(purpose: string): Promise<string>
  /** Removes every temporary folder of this process. */
  close(): Promise<void>
}

/** A folder whose owner cannot be asked is removed when nobody has touched it for so long. */
const ABANDONED_MS = 86_400_000
const TOUCH_EVERY_MS = 3_600_000
const LOCK = 'dono'
/** A path of a socket has 107 bytes at most. */
const LONGEST_SOCKET_PATH = 100

/**
 * Creates this process's temporary folder (mode 0700, a random name) below `root`, after removing what ended
 * processes left there. The process listens on a socket in its folder while it lives: that is its lock, which two
 * containers with the same pid and host name do not share, and which ends with the process.
 */
export async function openScratch(root: string): Promise<Scratch> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await sweep(root)
  const name = `${MACHINE}@${randomBytes(8).toString('hex')}`
  const own = join(root, name)
  let lock: Server | undefined
  /** Makes the folder, also again after somebody has removed it. */
  const claim = async () => {
    lock?.close()
    await mkdir(own, { recursive: true, mode: 0o700 })
    lock = await listenIn(own)
  }
  await claim()
  const touch = setInterval(() => {
    const now = new Date()
    utimes(own, now, now).catch(() => undefined)
  }, TOUCH_EVERY_MS).unref()
  let claiming: Promise<void> | undefined
  const make = (purpose: string) =>
    mkdtemp(join(own, `${purpose}-`)).catch(async (error: unknown) => {
      nullIfMissing(error)
      claiming ??= claim().finally(() => {
        claiming = undefined
      })
      await claiming
      return mkdtemp(join(own, `${purpose}-`))
    })
  return {
    folder: name,
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
    async close() {
      clearInterval(touch)
      lock?.close()
      await rm(own, { recursive: true, force: true })
    },
  }
}

/** The running kernel, which all containers of a machine share: only its processes can be asked by a socket. */
const MACHINE = (() => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  } catch {
    return 'local'
  }
})()

/** Undefined where the disk has no sockets: then the folder's age alone counts. */
async function listenIn(folder: string): Promise<Server | undefined> {
  const server = createServer((asked) => asked.destroy()).unref()
  const answer = Promise.withResolvers<Server | undefined>()
  server.once('error', () => answer.resolve(undefined))
  await atSocket(folder, (path) => {
    server.listen(path, () => answer.resolve(server))
    return answer.promise
  })
  return answer.promise
}

/** Calls with a path of the socket that is short enough, whatever the folder's is. */
async function atSocket<T>(folder: string, use: (path: string) => Promise<T>): Promise<T> {
  const path = join(folder, LOCK)
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return use(path)
  const opened = await open(folder, 'r')
  try {
    return await use(`/proc/self/fd/${opened.fd}/${LOCK}`)
  } finally {
    await opened.close()
  }
}

/** Removes the folders of processes that have ended, and those of another machine after a day without a touch. */
async function sweep(root: string) {
  for (const name of await readdir(root)) {
    if (!name.includes('@')) continue
    await removeAbandoned(join(root, name), name).catch(nullIfKept)
  }
}

async function removeAbandoned(folder: string, name: string) {
  if (await isAbandoned(folder, name)) await rm(folder, { recursive: true, force: true })
}

/** Of another account, as a command left it that root ran as itself: it can neither be asked nor removed. */
function nullIfKept(error: unknown) {
  return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? null
    : nullIfMissing(error)
}

async function isAbandoned(folder: string, name: string) {
  const says = name.startsWith(`${MACHINE}@`) ? await ask(folder) : 'unknown'
  if (says !== 'unknown') return says === 'gone'
  return Date.now() - (await stat(folder)).mtimeMs > ABANDONED_MS
}

const ask = (folder: string) =>
  atSocket(folder, async (path) => {
    const answer = Promise.withResolvers<'alive' | 'gone' | 'unknown'>()
    const asked = connect(path, () => answer.resolve('alive'))
    asked.once('error', ({ code }: NodeJS.ErrnoException) =>
      // A process that is frozen answers no more and is alive: its queue of callers is full (EAGAIN).
      answer.resolve(code === 'ECONNREFUSED' ? 'gone' : code === 'EAGAIN' ? 'alive' : 'unknown'),
    )
    const says = await answer.promise
    asked.destroy()
    return says
  })
