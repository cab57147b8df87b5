import { AsyncLocalStorage } from 'node:async_hooks'
import { tooMany } from '@garantia/shared/errors'
import type { PostgresPool, PostgresPoolClient } from 'kysely'

/** On whose behalf the running code uses the database. */
interface Caller {
  /** A person, or the network of somebody who has not signed in. */
  lane: string
}
export const callers = new AsyncLocalStorage<Caller>()

/** The product's own work: sweeps, notifications. */
const SYSTEM = ''
const WAITING_PER_LANE = 500
const RETRY_SECONDS = 2

interface Waiter {
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
 * A pool that gives a third of its connections to one caller at most, and a free one to whoever holds fewest: the
 * queue of pg itself is in order of arrival, so that one person with a hundred calls, each waiting for the lock of
 * one order, kept everybody else waiting. 429 when too many calls of one wait; an error, as of pg, after the
 * timeout.
 */
export function fairPool(pool: PostgresPool, { max, timeout_ms }: FairPool): PostgresPool {
  const most_per_lane = Math.max(1, Math.ceil(max / 3))
  const waiting = new Map<string, Waiter[]>()
  const held = new Map<string, number>()
  let all = 0

  const heldBy = (lane: string) => held.get(lane) ?? 0
  const mayHold = (lane: string) => lane === SYSTEM || heldBy(lane) < most_per_lane
  function take(lane: string) {
    all++
    held.set(lane, heldBy(lane) + 1)
  }
  function giveBack(lane: string) {
    all--
    const rest = heldBy(lane) - 1
    if (rest > 0) held.set(lane, rest)
    else held.delete(lane)
    callNext()
  }
  function callNext() {
    while (all < max) {
      let next: { lane: string; waiter: Waiter } | undefined
      for (const [lane, [waiter]] of waiting) {
        if (!waiter || !mayHold(lane)) continue
        const order = next && (heldBy(lane) - heldBy(next.lane) || waiter.since - next.waiter.since)
        if (order === undefined || order < 0) next = { lane, waiter }
      }
      if (!next) return
      leave(next.lane, next.waiter)
      take(next.lane)
      next.waiter.go()
    }
  }
  function leave(lane: string, waiter: Waiter) {
    const rest = waiting.get(lane)?.filter((one) => one !== waiter) ?? []
    if (rest.length > 0) waiting.set(lane, rest)
    else waiting.delete(lane)
  }

  function waitFor(lane: string) {
    const queue = waiting.get(lane) ?? []
    if (lane !== SYSTEM && queue.length >= WAITING_PER_LANE) throw tooMany(RETRY_SECONDS)
    return new Promise<void>((resolve, reject) => {
      const waiter = {
        since: performance.now(),
        go() {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        leave(lane, waiter)
        reject(new Error('timeout exceeded when trying to connect'))
      }, timeout_ms)
      waiting.set(lane, [...queue, waiter])
    })
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const lane = callers.getStore()?.lane ?? SYSTEM
      if (all < max && mayHold(lane)) take(lane)
      else await waitFor(lane)
      try {
        return returning(await pool.connect(), () => giveBack(lane))
      } catch (error) {
        giveBack(lane)
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
