import { tooMany } from '@garantia/shared/errors'

/** Two of the four threads that also read and write files. */
const AT_ONCE = 2
/** Some half a second of work for one that waits at the end. */
const WAITING_PER_LANE = 20
/** Of all lanes together: an attack from many networks must not fill the memory. */
const WAITING = 1_000
const RETRY_SECONDS = 2

const lanes = new Map<string, (() => void)[]>()
let running = 0
let waiting = 0

/**
 * Runs costly work two at a time, the lanes in turn, whatever their length: one that sends hundreds delays
 * another by one piece of work. 429 when too many wait in the lane, or in all.
 */
export async function takeTurn<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
  if (running < AT_ONCE) running++
  else await turnIn(lane)
  try {
    return await work()
  } finally {
    callNext()
  }
}

function turnIn(lane: string) {
  const queue = lanes.get(lane) ?? []
  if (queue.length >= WAITING_PER_LANE || waiting >= WAITING) throw tooMany(RETRY_SECONDS)
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
