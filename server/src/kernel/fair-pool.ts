import { AsyncLocalStorage } from 'node:async_hooks'
import { tooMany } from '@garantia/shared/errors'
import type { PostgresPool, PostgresPoolClient } from 'kysely'

/** On whose behalf the running code uses the database. */
interface Caller {
  /** A person, or the network of an anonymous caller. */
  caller_key: string
  /** Has sent no token that was looked up: signs in, begins, or attacks. */
  isAnonymous: boolean
}
export const callers = new AsyncLocalStorage<Caller>()

/** The product's own work: sweeps, notifications. */
const SYSTEM: Caller = { caller_key: '', isAnonymous: false }
/** More than a thousand pages that one person has open, each of which asks once at a time. */
const MOST_WAITING_PER_CALLER = 1_500
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
 * A pool that gives a third of its connections to one caller at most, half to all anonymous callers, and a free one to
 * whoever holds fewest: the queue of pg itself is in order of arrival, so that one person with a hundred calls, each
 * waiting for the lock of one order, kept everybody else waiting. 429 when too many calls of one wait; an error, as
 * of pg, after the timeout.
 */
export function fairPool(pool: PostgresPool, { max, timeout_ms }: FairPool): PostgresPool {
  const most_per_caller = Math.max(1, Math.ceil(max / 3))
  const most_anonymous = Math.max(1, Math.floor(max / 2))
  const waiting = new Map<string, Waiter[]>()
  const in_use = new Map<string, number>()
  let all = 0
  let anonymous_in_use = 0

  const inUseBy = (caller_key: string) => in_use.get(caller_key) ?? 0
  const mayTake = ({ caller_key, isAnonymous }: Caller) =>
    caller_key === SYSTEM.caller_key ||
    (inUseBy(caller_key) < most_per_caller && !(isAnonymous && anonymous_in_use >= most_anonymous))
  function take({ caller_key, isAnonymous }: Caller) {
    all++
    if (isAnonymous) anonymous_in_use++
    in_use.set(caller_key, inUseBy(caller_key) + 1)
  }
  function giveBack({ caller_key, isAnonymous }: Caller) {
    all--
    if (isAnonymous) anonymous_in_use--
    const rest = inUseBy(caller_key) - 1
    if (rest > 0) in_use.set(caller_key, rest)
    else in_use.delete(caller_key)
    callNext()
  }
  function callNext() {
    while (all < max) {
      let next: Waiter | undefined
      for (const [waiter] of waiting.values()) {
        if (!waiter || !mayTake(waiter.caller)) continue
        const more = inUseBy(waiter.caller.caller_key) - (next ? inUseBy(next.caller.caller_key) : max)
        if (more < 0 || (next && more === 0 && waiter.since < next.since)) next = waiter
      }
      if (!next) return
      leave(next)
      take(next.caller)
      next.go()
    }
  }
  function leave(waiter: Waiter) {
    const { caller_key } = waiter.caller
    const queue = waiting.get(caller_key) ?? []
    queue.splice(queue.indexOf(waiter), 1)
    if (queue.length === 0) waiting.delete(caller_key)
  }

  function waitFor(caller: Caller) {
    const { caller_key } = caller
    const queue = waiting.get(caller_key) ?? []
    if (caller_key !== SYSTEM.caller_key && queue.length >= MOST_WAITING_PER_CALLER)
      throw tooMany(RETRY_SECONDS)
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
      waiting.set(caller_key, queue)
    })
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      // The person may become known while the connection is held.
      const caller = { ...(callers.getStore() ?? SYSTEM) }
      if (all < max && mayTake(caller)) take(caller)
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
