import type { UploadFields, UploadResult } from '@garantia/shared/evidence/schema'

/**
 * «chosen» waits for Enviar, «waiting» for a free line, «retrying» for the network. «failed» may be tried
 * again; «refused» is the server's last word on that file.
 */
export type UploadState =
  | 'chosen'
  | 'waiting'
  | 'sending'
  | 'retrying'
  | 'sent'
  | 'already_there'
  | 'refused'
  | 'failed'

export interface UploadItem {
  readonly key: number
  readonly file: File
  readonly state: UploadState
  /** Bytes the network took so far. */
  readonly loaded: number
  readonly bytes_per_second: number
  readonly tries: number
  /** Portuguese reason of a refusal, a failure or a pause. */
  readonly reason: string | null
}

/** What the queue needs to know of the world; a test hands in another one. */
export interface Transport {
  send(
    file: File,
    fields: UploadFields,
    options: { signal: AbortSignal; onProgress: (loaded: number) => void },
  ): Promise<UploadResult>
  /** The network or a busy server failed, not the file: trying again may help. */
  isPassing(error: unknown): boolean
  reasonOf(error: unknown): string
}

export interface UploadQueue {
  subscribe(listener: () => void): () => void
  items(): readonly UploadItem[]
  /** Adds files that are not listed yet; answers how many were. */
  add(files: Iterable<File>): number
  remove(key: number): void
  /** Sends everything not yet sent; ends when nothing is under way any more. */
  send(fields: UploadFields): Promise<void>
  /** Sends again what failed: one file, or all. */
  retry(key?: number): Promise<void>
  /** Stops what is under way; the files stay listed. */
  cancel(): void
  /** Ends the pause before a new try: the network is back. */
  wake(): void
  clear(): void
}

export const PARALLEL_UPLOADS = 2
/** Pauses before the second to the sixth try; about half a minute in all. */
export const RETRY_DELAYS_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000]
/** Progress events come up to 20 times a second for each file; the eye needs fewer. */
const PROGRESS_EVERY_MS = 120

export const isUnderWay = ({ state }: UploadItem) =>
  state === 'waiting' || state === 'sending' || state === 'retrying'
const isUnsent = ({ state }: UploadItem) => state === 'chosen' || state === 'failed'
/** The same file picked twice; another file of the same name differs in size or date. */
const identityOf = ({ name, size, lastModified }: File) => `${lastModified}/${size}/${name}`

/** One file a request, two at a time, new tries with growing pauses when the network fails (D-22). */
export function createUploadQueue(
  transport: Transport,
  now: () => number = () => performance.now(),
): UploadQueue {
  let items: readonly UploadItem[] = []
  let lastKey = 0
  let fields: UploadFields = {}
  const listeners = new Set<() => void>()
  const running = new Map<number, AbortController>()
  const pauses = new Set<() => void>()
  const whenIdle: (() => void)[] = []

  const publish = (next: readonly UploadItem[]) => {
    items = next
    for (const listener of listeners) listener()
  }
  const change = (key: number, change: Partial<UploadItem>) =>
    publish(items.map((item) => (item.key === key ? { ...item, ...change } : item)))

  function enqueue(isWanted: (item: UploadItem) => boolean) {
    publish(
      items.map((item) => (isWanted(item) ? { ...item, state: 'waiting', reason: null, tries: 0 } : item)),
    )
    return new Promise<void>((idle) => {
      whenIdle.push(idle)
      fillLines()
    })
  }

  function fillLines() {
    for (const item of items) {
      if (running.size >= PARALLEL_UPLOADS) return
      if (item.state === 'waiting' && !running.has(item.key)) void run(item)
    }
    if (running.size === 0) for (const idle of whenIdle.splice(0)) idle()
  }

  /** The pause before a new try keeps its line: the files behind would meet the same dead network. */
  async function run({ key, file }: UploadItem) {
    const controller = new AbortController()
    running.set(key, controller)
    for (let tries = 1; ; tries++) {
      change(key, { state: 'sending', tries, loaded: 0, bytes_per_second: 0, reason: null })
      const outcome = await attempt(key, file, controller.signal, tries)
      if (controller.signal.aborted) break
      change(key, outcome)
      const delay = RETRY_DELAYS_MS[tries - 1]
      if (outcome.state !== 'retrying' || delay === undefined) break
      await pause(delay, controller.signal)
      if (controller.signal.aborted) break
    }
    running.delete(key)
    fillLines()
  }

  async function attempt(
    key: number,
    file: File,
    signal: AbortSignal,
    tries: number,
  ): Promise<Partial<UploadItem>> {
    try {
      const result = await transport.send(file, fields, { signal, onProgress: progressOf(key, signal) })
      return outcomeOf(result, file, tries)
    } catch (error) {
      const reason = transport.reasonOf(error)
      if (!transport.isPassing(error)) return { state: 'refused', reason }
      return { state: tries <= RETRY_DELAYS_MS.length ? 'retrying' : 'failed', reason, bytes_per_second: 0 }
    }
  }

  function progressOf(key: number, signal: AbortSignal) {
    let at = now()
    let before = 0
    let speed = 0
    return (loaded: number) => {
      const passed = now() - at
      if (passed < PROGRESS_EVERY_MS || signal.aborted) return
      const current = ((loaded - before) * 1_000) / passed
      speed = speed === 0 ? current : speed * 0.7 + current * 0.3
      at = now()
      before = loaded
      change(key, { loaded, bytes_per_second: Math.round(speed) })
    }
  }

  function pause(ms: number, signal: AbortSignal) {
    return new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        pauses.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      pauses.add(end)
      signal.addEventListener('abort', end)
    })
  }

  const stop = (key: number) => running.get(key)?.abort()

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    items: () => items,
    add(files) {
      const known = new Set(items.map(({ file }) => identityOf(file)))
      const fresh: UploadItem[] = []
      for (const file of files) {
        if (known.has(identityOf(file))) continue
        known.add(identityOf(file))
        fresh.push({
          key: ++lastKey,
          file,
          state: 'chosen',
          loaded: 0,
          bytes_per_second: 0,
          tries: 0,
          reason: null,
        })
      }
      if (fresh.length > 0) publish([...items, ...fresh])
      return fresh.length
    },
    remove(key) {
      stop(key)
      publish(items.filter((item) => item.key !== key))
    },
    send(given) {
      fields = given
      return enqueue(isUnsent)
    },
    retry: (key) => enqueue((item) => item.state === 'failed' && (key === undefined || item.key === key)),
    cancel() {
      publish(
        items.map((item) =>
          isUnderWay(item) ? { ...item, state: 'chosen', loaded: 0, reason: null } : item,
        ),
      )
      for (const key of running.keys()) stop(key)
    },
    wake() {
      for (const end of [...pauses]) end()
    },
    clear() {
      for (const key of running.keys()) stop(key)
      publish([])
    },
  }
}

/** After a new try «already there» means that the first one had arrived after all. */
function outcomeOf(result: UploadResult, file: File, tries: number): Partial<UploadItem> {
  const refused = result.errors[0]
  if (refused) return { state: 'refused', reason: refused.detail }
  const skipped = result.skipped[0]
  if (skipped && tries === 1) return { state: 'already_there', loaded: file.size, reason: skipped.detail }
  return { state: 'sent', loaded: file.size }
}
