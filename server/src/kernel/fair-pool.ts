import { AsyncLocalStorage } from 'node:async_hooks'
import { tooMany } from '@garantia/shared/errors'
import type { PostgresPool, PostgresPoolClient } from 'kysely'

/** On whose behalf the running code uses the database. */
interface Caller {
  /** A person, or the network of a stranger. */
  lane: string
  /** Has sent no token that was looked up: signs in, begins, or attacks. */
  isStranger: boolean
}
export const callers = new AsyncLocalStorage<Caller>()

/** The product's own work: sweeps, notifications. */
const SYSTEM: Caller = { lane: '', isStranger: false }
/** More than a thousand pages that one person has open, each of which asks once at a time. */
const WAITING_PER_LANE = 1_500
const RETRY_SECONDS = 2

interface Waiter {
  caller: Caller
  since: number
  go: () => void
}
interface FairPool {
  /** Connections of the pool. */
  max: number
  /** As `connectionTimeoutMillis` of pg, which does not see those who wait here. */
  timeout_ms: number
}

/**
 * A pool that gives a third of its connections to one caller at most, half to all strangers, and a free one to
 * whoever holds fewest: the queue of pg itself is in order of arrival, so that one person with a hundred calls, each
 * waiting for the lock of one order, kept everybody else waiting. 429 when too many calls of one wait; an error, as
 * of pg, after the timeout.
 */
export function fairPool(pool: PostgresPool, { max, timeout_ms }: FairPool): PostgresPool {
  const most_per_lane = Math.max(1, Math.ceil(max / 3))
  const most_of_strangers = Math.max(1, Math.floor(max / 2))
  const waiting = new Map<string, Waiter[]>()
  const held = new Map<string, number>()
  let all = 0
  let strangers = 0

  const heldBy = (lane: string) => held.get(lane) ?? 0
  const mayHold = ({ lane, isStranger }: Caller) =>
    lane === SYSTEM.lane || (heldBy(lane) < most_per_lane && !(isStranger && strangers >= most_of_strangers))
  function take({ lane, isStranger }: Caller) {
    all++
    if (isStranger) strangers++
    held.set(lane, heldBy(lane) + 1)
  }
  function giveBack({ lane, isStranger }: Caller) {
    all--
    if (isStranger) strangers--
    const rest = heldBy(lane) - 1
    if (rest > 0) held.set(lane, rest)
    else held.delete(lane)
    callNext()
  }
  function callNext() {
    while (all < max) {
      let next: Waiter | undefined
      for (const [waiter] of waiting.values()) {
        if (!waiter || !mayHold(waiter.caller)) continue
        const more = heldBy(waiter.caller.lane) - (next ? heldBy(next.caller.lane) : max)
        if (more < 0 || (next && more === 0 && waiter.since < next.since)) next = waiter
      }
      if (!next) return
      leave(next)
      take(next.caller)
      next.go()
    }
  }
  function leave(waiter: Waiter) {
    const { lane } = waiter.caller
    const queue = waiting.get(lane) ?? []
    queue.splice(queue.indexOf(waiter), 1)
    if (queue.length === 0) waiting.delete(lane)
  }

  function waitFor(caller: Caller) {
    const { lane } = caller
    const queue = waiting.get(lane) ?? []
    if (lane !== SYSTEM.lane && queue.length >= WAITING_PER_LANE) throw tooMany(RETRY_SECONDS)
    return new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        caller,
        since: performance.now(),
        go() {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        leave(waiter)
        reject(new Error('timeout exceeded when trying to connect'))
      }, timeout_ms)
      queue.push(waiter)
      waiting.set(lane, queue)
    })
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      // The person may become known while the connection is held.
      const caller = { ...(callers.getStore() ?? SYSTEM) }
      if (all < max && mayHold(caller)) take(caller)
      else await waitFor(caller)
      try {
        return returning(await pool.connect(), () => giveBack(caller))
      } catch (error) {
        giveBack(caller)
        throw error
      }
    },
  }
}

/** The client, with a `release` that also calls `onReleased`; pg makes a new `release` for each use. */
function returning(client: PostgresPoolClient, onReleased: () => void) {
  const release = client.release.bind(client)
  return Object.assign(client, {
    release(...reason: Parameters<typeof release>) {
      release(...reason)
      onReleased()
    },
  })
}
