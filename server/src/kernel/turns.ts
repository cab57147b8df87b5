import { tooMany } from '@garantia/shared/errors'

const RETRY_SECONDS = 2
/** A lane that asked for nothing this long is as good as new. */
const REMEMBERED_MS = 60_000
const MOST_REMEMBERED = 10_000

interface Turns {
  at_once: number
  /** More are refused. */
  waiting_per_lane: number
  /** Of all lanes together: an attack from many lanes must not fill the memory. */
  waiting: number
}
/** `isFree` says that a result is not counted, so that those who mean well stay before those who do not. */
export type TakeTurn = <Result>(
  lane: string,
  work: () => Promise<Result>,
  isFree?: (result: Result) => boolean,
) => Promise<Result>

/**
 * Runs costly work a few at a time. Next is always the lane that asked for least within the last minute, by what it
 * got and what it waits for: who asks once waits for the work that runs, not for those who ask without end. 429 when
 * too many wait in the lane, or in all.
 */
export function createTurns({ at_once, waiting_per_lane, waiting: most_waiting }: Turns): TakeTurn {
  const lanes = new Map<string, (() => void)[]>()
  /** How often each lane was served, the one served last at the end. */
  const served = new Map<string, { times: number; at: number }>()
  let running = 0
  let waiting = 0

  function noteServed(lane: string) {
    const now = performance.now()
    const times = timesServed(lane) + 1
    served.delete(lane)
    served.set(lane, { times, at: now })
    for (const [oldest, { at }] of served) {
      if (served.size <= MOST_REMEMBERED && now - at < REMEMBERED_MS) break
      served.delete(oldest)
    }
  }
  function timesServed(lane: string) {
    const known = served.get(lane)
    return known && performance.now() - known.at < REMEMBERED_MS ? known.times : 0
  }

  function turnIn(lane: string) {
    const queue = lanes.get(lane) ?? []
    if (queue.length >= waiting_per_lane || waiting >= most_waiting) throw tooMany(RETRY_SECONDS)
    lanes.set(lane, queue)
    waiting++
    return new Promise<void>((resolve) => queue.push(resolve))
  }

  /** Hands its place to the first of the lane that asked for least, or gives it up. */
  function callNext() {
    let next: [lane: string, queue: (() => void)[]] | undefined
    let least = Number.POSITIVE_INFINITY
    for (const entry of lanes) {
      const asked = timesServed(entry[0]) + entry[1].length
      if (asked < least) [next, least] = [entry, asked]
    }
    if (!next) {
      running--
      return
    }
    const [lane, queue] = next
    const go = queue.shift()
    // Among equals the one that has waited longest is first.
    lanes.delete(lane)
    if (queue.length > 0) lanes.set(lane, queue)
    waiting--
    go?.()
  }

  return async (lane, work, isFree = () => false) => {
    if (running < at_once) running++
    else await turnIn(lane)
    noteServed(lane)
    try {
      const result = await work()
      const known = served.get(lane)
      if (known && isFree(result)) known.times--
      return result
    } finally {
      callNext()
    }
  }
}
