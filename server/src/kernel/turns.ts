import { tooMany } from '@garantia/shared/errors'

const RETRY_SECONDS = 2

interface Turns {
  at_once: number
  /** More are refused. */
  waiting_per_lane: number
  /** Of all lanes together: an attack from many lanes must not fill the memory. */
  waiting: number
}
export type TakeTurn = <Result>(lane: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Runs costly work a few at a time, the lanes in turn, whatever their length: one that sends hundreds delays
 * another by one piece of work. 429 when too many wait in the lane, or in all.
 */
export function createTurns({ at_once, waiting_per_lane, waiting: most_waiting }: Turns): TakeTurn {
  const lanes = new Map<string, (() => void)[]>()
  let running = 0
  let waiting = 0

  function turnIn(lane: string) {
    const queue = lanes.get(lane) ?? []
    if (queue.length >= waiting_per_lane || waiting >= most_waiting) throw tooMany(RETRY_SECONDS)
    lanes.set(lane, queue)
    waiting++
    return new Promise<void>((resolve) => queue.push(resolve))
  }

  /** Hands its place to the first of the lane that was served longest ago, or gives it up. */
  function callNext() {
    const [next] = lanes
    if (!next) {
      running--
      return
    }
    const [lane, queue] = next
    const go = queue.shift()
    lanes.delete(lane)
    if (queue.length > 0) lanes.set(lane, queue)
    waiting--
    go?.()
  }

  return async (lane, work) => {
    if (running < at_once) running++
    else await turnIn(lane)
    try {
      return await work()
    } finally {
      callNext()
    }
  }
}
