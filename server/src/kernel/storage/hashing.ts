import { Worker } from 'node:worker_threads'

export interface HashingRequest {
  id: number
  files: readonly { path: string; size: number }[]
}
export type HashingAnswer =
  | { id: number; hashes: (string | null)[] }
  | { id: number; error: { message: string; code: string | undefined } }

/** The thread ends when nobody has asked for this long, and gives its memory back. */
const IDLE_MS = 20_000

/**
 * Hashes small files in a thread of its own: opening, reading and closing each costs a sixth of what the same
 * three calls cost through the thread pool, and does not occupy the event loop.
 */
export function createHashing() {
  let thread: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let lastId = 0
  const waiting = new Map<number, PromiseWithResolvers<(string | null)[]>>()

  function start() {
    const started = new Worker(new URL('./hashing-thread.ts', import.meta.url))
    started.on('message', (answer: HashingAnswer) => {
      const asked = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('hashes' in answer) asked?.resolve(answer.hashes)
      else asked?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }))
      if (waiting.size === 0) rest()
    })
    // What waits belongs to the newest thread, and is not failed when one that was stopped has ended.
    const ended = (error: Error) => {
      if (thread !== started) return
      thread = null
      failAll(error)
    }
    started.on('error', ended)
    started.on('exit', () => ended(new Error('The hashing thread has ended')))
    return started
  }
  /** It keeps no process running while nobody waits for it. */
  function rest() {
    thread?.unref()
    idle = setTimeout(stop, IDLE_MS).unref()
  }
  function stop() {
    clearTimeout(idle)
    const stopped = thread
    thread = null
    failAll(new Error('The hashing thread was stopped'))
    void stopped?.terminate()
  }
  function failAll(error: Error) {
    for (const asked of waiting.values()) asked.reject(error)
    waiting.clear()
  }

  return {
    /**
     * SHA-256 of each file in hexadecimal; null for one that is missing or not of this size in bytes. Each is read
     * whole into memory.
     */
    hashes(files: HashingRequest['files']): Promise<(string | null)[]> {
      clearTimeout(idle)
      thread ??= start()
      thread.ref()
      const id = ++lastId
      const asked = Promise.withResolvers<(string | null)[]>()
      waiting.set(id, asked)
      thread.postMessage({ id, files } satisfies HashingRequest)
      return asked.promise
    },
    close: stop,
  }
}
