import {
  byOrder,
  fileIdentity,
  hasEnded,
  isOver,
  isStopped,
  isUnderWay,
  isUnsent,
  type KeptUpload,
  mayPassLater,
  type SentFields,
  type Transport,
  type Upload,
  type UploadItem,
  type UploadOrder,
  type UploadPredicate,
  type UploadReceipt,
} from './upload-item.ts'

export const PARALLEL_UPLOADS = 2
/** Delays before retries; while the network is down, retries continue indefinitely with the last delay. */
export const RETRY_DELAYS_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000]
/** Progress events arrive up to 20 times a second per file; the display needs fewer. */
const PROGRESS_EVERY_MS = 120

const all: UploadPredicate = () => true
const TAKEN_OVER = { is_kept: true, is_taken_over: true }
/**
 * Identifies the same file picked twice for one order; another file of the same name differs in size or date.
 */
const identityOf = ({ order, file }: Pick<Upload, 'order' | 'file'>) => `${order.id}/${fileIdentity(file)}`

/**
 * Uploads of this browser, for any order and on any page: two files at a time, with retries when the network
 * fails (D-22). The list is kept per user: it is paused while that user is signed out and hidden from others.
 */
export function createUploadQueue(transport: Transport, { now = () => performance.now() } = {}) {
  let items: readonly UploadItem[] = []
  let person: number | null = null
  let lastKey = 0
  const itemsByPerson = new Map<number, readonly UploadItem[]>()
  const listeners = new Set<() => void>()
  const running = new Map<number, AbortController>()
  const pauses = new Set<() => void>()
  const endListeners = new Set<(order: UploadOrder, ended: readonly UploadItem[]) => void>()
  const unreported = new Set<number>()

  const publish = (next: readonly UploadItem[]) => {
    items = next
    for (const listener of listeners) listener()
  }
  const change = (key: number, change: Partial<UploadItem>) =>
    publish(items.map((item) => (item.key === key ? { ...item, ...change } : item)))
  const changeAll = (matches: UploadPredicate, change: Partial<UploadItem>) =>
    publish(items.map((item) => (matches(item) ? { ...item, ...change } : item)))

  function startWaiting() {
    for (const item of items) {
      if (running.size >= PARALLEL_UPLOADS) return
      if (item.state === 'queued' && !running.has(item.key)) void run(item)
    }
  }
  function enqueue(matches: UploadPredicate) {
    changeAll(matches, { state: 'queued', reason: null, tries: 0 })
    startWaiting()
  }

  function reportEnded(order: UploadOrder) {
    const own = items.filter(byOrder(order.id))
    if (own.some((item) => isUnderWay(item) || item.state === 'paused')) return
    const ended = own.filter((item) => hasEnded(item) && unreported.delete(item.key))
    if (ended.length > 0) for (const listener of endListeners) listener(order, ended)
  }

  /**
   * A file keeps its slot during the delay before a retry: the files behind it would meet the same network
   * failure.
   */
  async function run(upload: UploadItem) {
    const { key } = upload
    const controller = new AbortController()
    const { signal } = controller
    running.set(key, controller)
    unreported.add(key)
    let failedAttempts = 0
    for (let tries = 1; !signal.aborted; tries++) {
      change(key, { state: 'sending', tries, bytes_per_second: 0, reason: null })
      const again = hasTriedBefore(key)
      const { outcome, delay, hasMoved } = await attempt(upload, signal, again, failedAttempts)
      if (signal.aborted) break
      change(key, outcome)
      if (delay === null) break
      failedAttempts = hasMoved ? 1 : failedAttempts + 1
      await pause(delay, signal)
    }
    if (running.get(key) === controller) running.delete(key)
    startWaiting()
    reportEnded(upload.order)
  }
  const hasTriedBefore = (key: number): boolean => {
    const item = items.find((one) => one.key === key)
    return item !== undefined && (item.is_taken_over === true || item.tries > 1 || item.loaded > 0)
  }

  async function attempt(upload: UploadItem, signal: AbortSignal, isAgain: boolean, failedAttempts: number) {
    let loaded = 0
    const show = progressOf(upload.key, signal)
    const onProgress = (bytes: number) => {
      loaded = bytes
      show(bytes)
    }
    try {
      const receipt = await transport.send(upload, { signal, onProgress })
      return { outcome: receivedState(receipt, upload.file, isAgain), delay: null, hasMoved: loaded > 0 }
    } catch (error) {
      const { kind, reason, retry_after_ms = 0, is_about_file } = transport.failureOf(error)
      const hasMoved = loaded > 0
      const step = hasMoved ? 0 : failedAttempts
      const planned = RETRY_DELAYS_MS[step] ?? (kind === 'unreachable' ? RETRY_DELAYS_MS.at(-1) : undefined)
      const isRetryable = (kind === 'unreachable' || kind === 'busy') && planned !== undefined
      const state = !isRetryable
        ? kind === 'refused'
          ? 'refused'
          : 'failed'
        : kind === 'busy'
          ? 'retrying'
          : 'offline'
      // The last event before a failure may be one that `progressOf` left out.
      const outcome: Partial<UploadItem> = {
        state,
        reason,
        bytes_per_second: 0,
        ...(hasMoved && { loaded }),
        ...(is_about_file !== undefined && { is_about_file }),
      }
      const delay = isRetryable ? Math.max(planned, retry_after_ms) : null
      return { outcome, delay, hasMoved }
    }
  }

  function progressOf(key: number, signal: AbortSignal) {
    let at: number | undefined
    let before = 0
    let speed = 0
    return (loaded: number) => {
      if (signal.aborted) return
      const passed = at === undefined ? 0 : now() - at
      if (at !== undefined && passed < PROGRESS_EVERY_MS) return
      // The first event of an attempt reports the resume offset; nothing has been sent by then.
      if (passed > 0) {
        const current = ((loaded - before) * 1_000) / passed
        speed = speed === 0 ? current : speed * 0.7 + current * 0.3
      }
      at = now()
      before = loaded
      change(key, { loaded, bytes_per_second: Math.max(0, Math.round(speed)) })
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

  /** Frees the slot at once; later events of the aborted attempt are ignored. */
  const stop = (key: number) => {
    running.get(key)?.abort()
    running.delete(key)
  }
  function drop(matches: UploadPredicate) {
    const removed = items.filter(matches)
    publish(items.filter((item) => !removed.includes(item)))
    for (const item of removed) {
      stop(item.key)
      if (isUnsent(item)) transport.discard(item)
    }
    startWaiting()
    for (const { order } of removed) reportEnded(order)
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    items: () => items,
    hasItems: () => items.length > 0,
    /** Reports the files of an order that have just ended, once none of its files is under way or paused. */
    onEnded(listener: (order: UploadOrder, ended: readonly UploadItem[]) => void) {
      endListeners.add(listener)
    },
    /** User whose files are listed and sent; null while nobody is signed in. */
    setOwner(next: number | null) {
      if (next === person) return
      for (const key of [...running.keys()]) stop(key)
      if (person !== null)
        itemsByPerson.set(
          person,
          items.map((item) => (isUnderWay(item) ? { ...item, state: 'queued', reason: null } : item)),
        )
      person = next
      publish(next === null ? [] : (itemsByPerson.get(next) ?? []))
      startWaiting()
    },
    /** Adds files not yet listed for this order; returns how many were added. */
    add(order: UploadOrder, files: Iterable<File>) {
      if (person === null) return 0
      const known = new Set(items.filter((item) => !isOver(item)).map(identityOf))
      const fresh: UploadItem[] = []
      for (const file of files) {
        const identity = identityOf({ order, file })
        if (known.has(identity)) continue
        known.add(identity)
        fresh.push({
          ...startOf({ id: newId(), person, order, file, fields: {} }),
          key: ++lastKey,
        })
      }
      if (fresh.length > 0) publish([...items, ...fresh])
      return fresh.length
    },
    /** Adds one file and sends it, whatever else is chosen; returns its key, null while nobody is signed in. */
    sendOne(order: UploadOrder, file: File, fields: SentFields) {
      if (person === null) return null
      const key = ++lastKey
      const item: UploadItem = {
        ...startOf({ id: newId(), person, order, file, fields }),
        key,
        state: 'queued',
      }
      publish([...items, item])
      startWaiting()
      return key
    },
    /** Gives chosen files that are not sent yet a category of their own; null means none. */
    categorize: (which: UploadPredicate, category: string | null) =>
      changeAll((item) => item.state === 'chosen' && which(item), { own: { category } }),
    /** Sends the files chosen for this order, each with its own category or else the given one. */
    send(order_id: number, fields: SentFields) {
      const matches: UploadPredicate = (item) => item.state === 'chosen' && item.order.id === order_id
      publish(items.map((item) => (matches(item) ? { ...item, fields: { ...fields, ...item.own } } : item)))
      enqueue(matches)
    },
    /** Retries failed files and continues paused ones. */
    resume: (which: UploadPredicate = all) =>
      enqueue((item) => (isStopped(item) || mayPassLater(item)) && which(item)),
    /** Stops the transfer and keeps the file in the list. */
    pause(which: UploadPredicate = all) {
      const matching = items.filter((item) => isUnderWay(item) && which(item))
      changeAll((item) => matching.includes(item), { state: 'paused', bytes_per_second: 0, reason: null })
      for (const item of matching) stop(item.key)
      startWaiting()
    },
    /** Removes files from the list; partial uploads are also deleted on the server. */
    remove: drop,
    /** Removes files that were sent off but have not arrived, but those that their order may take another day. */
    cancel: (which: UploadPredicate = all) =>
      drop((item) => isUnsent(item) && !mayPassLater(item) && which(item)),
    /** Drops the chosen but unsent files of an order when its dialog closes. */
    discardUnsent: (order_id: number) =>
      drop((item) => item.state === 'chosen' && item.order.id === order_id),
    clearDone: (which: UploadPredicate = all) =>
      drop((item) => isOver(item) && !mayPassLater(item) && which(item)),
    /** Ends the delays before retries: the network is back. */
    retryNow() {
      for (const end of [...pauses]) end()
    },
    owner: () => person,
    /** Lists what pages that are gone have left on the device, and sends it while its person is signed in. */
    addKept(owner: number, kept: readonly KeptUpload[]) {
      const added = kept.map(({ is_paused, ...upload }): UploadItem => {
        return { ...startOf(upload), key: ++lastKey, state: is_paused ? 'paused' : 'queued', ...TAKEN_OVER }
      })
      if (person !== owner) itemsByPerson.set(owner, [...(itemsByPerson.get(owner) ?? []), ...added])
      else publish([...items, ...added])
      startWaiting()
    },
    /** Notes whether the device keeps it, also while its person is signed out. */
    setKept(id: string, is_kept: boolean) {
      const noted = (list: readonly UploadItem[]) =>
        list.map((item) => (item.id === id ? { ...item, is_kept } : item))
      for (const [owner, list] of itemsByPerson) itemsByPerson.set(owner, noted(list))
      publish(noted(items))
    },
  }
}

/** As texts in the order of time, also those of one moment. */
let added = 0
const newId = () => `${Date.now()}-${String(added++).padStart(8, '0')}-${Math.random()}`

const startOf = (upload: Pick<Upload, 'id' | 'person' | 'order' | 'file' | 'fields'>) => ({
  ...upload,
  state: 'chosen' as const,
  loaded: 0,
  bytes_per_second: 0,
  tries: 0,
  reason: null,
})

/** After a retry, «already there» means that the earlier attempt had arrived, so it counts as sent. */
function receivedState(
  { is_new, notice, evidence_id = null }: UploadReceipt,
  file: File,
  isAgain: boolean,
): Partial<UploadItem> {
  const state = is_new || isAgain ? 'sent' : 'already_there'
  return {
    state,
    evidence_id,
    loaded: file.size,
    bytes_per_second: 0,
    reason: state === 'sent' ? null : notice,
  }
}
