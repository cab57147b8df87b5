import { tooMany } from '@garantia/shared/errors'

const RETRY_SECONDS = 2
/** After this long without a request a caller counts as one who has never asked. */
const REMEMBERED_MS = 60_000
const MOST_REMEMBERED = 10_000

interface FairQueueLimits {
  at_once: number
  /** More are refused. */
  most_waiting_per_caller: number
  /** Of all callers together: an attack from many networks must not fill the memory. */
  most_waiting: number
}
/** `isFree` says that a result is not counted, so that those who mean well stay before those who do not. */
export type RunInTurn = <Result>(
  caller_key: string,
  work: () => Promise<Result>,
  isFree?: (result: Result) => boolean,
) => Promise<Result>

/**
 * Runs costly work a few at a time. Next is always the caller who asked for least within the last minute, by
 * what was done and what waits: who asks once waits for the work that runs, not for those who ask without end. 429 when
 * too many calls of the caller wait, or of all.
 */
export function createFairQueue({
  at_once,
  most_waiting_per_caller,
  most_waiting,
}: FairQueueLimits): RunInTurn {
  const queues = new Map<string, (() => void)[]>()
  /** How often each caller was served, the one served last at the end. */
  const served = new Map<string, { times: number; at: number }>()
  let running = 0
  let waiting = 0

  function noteServed(caller_key: string) {
    const now = performance.now()
    const times = timesServed(caller_key) + 1
    served.delete(caller_key)
    served.set(caller_key, { times, at: now })
    for (const [oldest, { at }] of served) {
      if (served.size <= MOST_REMEMBERED && now - at < REMEMBERED_MS) break
      served.delete(oldest)
    }
  }
  function timesServed(caller_key: string) {
    const known = served.get(caller_key)
    return known && performance.now() - known.at < REMEMBERED_MS ? known.times : 0
  }

  function waitInQueue(caller_key: string) {
    const queue = queues.get(caller_key) ?? []
    if (queue.length >= most_waiting_per_caller || waiting >= most_waiting) throw tooMany(RETRY_SECONDS)
    queues.set(caller_key, queue)
    waiting++
    return new Promise<void>((resolve) => queue.push(resolve))
  }

  /** Hands its place to the first call of the caller who asked for least, or gives it up. */
  function callNext() {
    let next: [caller_key: string, queue: (() => void)[]] | undefined
    let least = Number.POSITIVE_INFINITY
    for (const entry of queues) {
      const asked = timesServed(entry[0]) + entry[1].length
      if (asked < least) [next, least] = [entry, asked]
    }
    if (!next) {
      running--
      return
    }
    const [caller_key, queue] = next
    const go = queue.shift()
    // Among equals the one that has waited longest is first.
    queues.delete(caller_key)
    if (queue.length > 0) queues.set(caller_key, queue)
    waiting--
    go?.()
  }

  return async (caller_key, work, isFree = () => false) => {
    if (running < at_once) running++
    else await waitInQueue(caller_key)
    noteServed(caller_key)
    try {
      const result = await work()
      const known = served.get(caller_key)
      if (known && isFree(result)) known.times--
      return result
    } finally {
      callNext()
    }
  }
}
