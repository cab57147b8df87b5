import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { connectionOf } from './connection.ts'
import type { Role } from './instance.ts'
import type { Logger } from './log.ts'

/**
 * A PostgreSQL session-level advisory lock. It ends with `release()`, or when the connection or the process
 * ends.
 */
export interface AdvisoryLock {
  /** False once the connection that owns the lock is lost: another process may have acquired it since. */
  isHeld(): boolean
  /**
   * Unlocks. A failure to unlock is logged, never thrown; without the connection the lock is gone already.
   */
  release(): Promise<void>
}
/**
 * Why the lock is wanted: to continue the locked work (`use`), or to end it even while it is in progress
 * (`end`).
 */
export type Purpose = 'use' | 'end'
export interface AdvisoryLocks {
  /**
   * Tries every 100 ms until the lock is free; null after `timeout_ms`. While a holder in this process has
   * the lock, its `onContended` is called at each try with the purpose of the new caller: a client that
   * reconnects has usually lost the connection under which the lock was taken. Rejects when the database
   * cannot be reached.
   */
  acquire(
    name: string,
    onContended: (by: Purpose) => void,
    timeout_ms: number,
    purpose?: Purpose,
  ): Promise<AdvisoryLock | null>
  /** Closes the shared connection, which releases every lock of this process. */
  close(): Promise<void>
}

const TRY_EVERY_MS = 100

/**
 * Advisory locks of PostgreSQL, all on one connection of this process: there is no connection per upload, no
 * clock is compared, and a killed process releases all its locks at once. The connection is opened with the
 * first lock and reopened after it was lost. Needs a direct connection, not a transaction-pooling proxy.
 */
export function openAdvisoryLocks(url: string, log: Logger, role: Role = 'servidor'): AdvisoryLocks {
  const holders = new Map<string, { onContended: (by: Purpose) => void }>()
  let connection: Promise<pg.Client> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function connect() {
    const client = new pg.Client(connectionOf(url, role))
    const lost = (err?: Error) => {
      connection = undefined
      if (err) log.warn({ err }, 'conexão das travas perdida')
    }
    client.on('error', lost)
    client.on('end', () => lost())
    await client.connect()
    return client
  }
  const connected = () => {
    connection ??= connect().catch((error: unknown) => {
      connection = undefined
      throw error
    })
    return connection
  }

  /** Runs one statement at a time on the shared connection. */
  function serialize<T>(ask: () => Promise<T>): Promise<T> {
    const answer = last.then(ask, ask)
    last = answer.catch(() => undefined)
    return answer
  }

  async function tryAcquire(
    name: string,
    onContended: (by: Purpose) => void,
    purpose: Purpose,
  ): Promise<AdvisoryLock | null> {
    const other = holders.get(name)
    if (other) {
      other.onContended(purpose)
      return null
    }
    const own = { onContended }
    holders.set(name, own)
    try {
      const proof = connected()
      const client = await proof
      const { rows } = await serialize(() =>
        client.query<{ taken: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as taken', [
          name,
        ]),
      )
      if (!rows[0]?.taken) {
        holders.delete(name)
        return null
      }
      const isHeld = () => connection === proof && holders.get(name) === own
      return {
        isHeld,
        async release() {
          const isOurs = isHeld()
          if (isOurs)
            await serialize(() =>
              client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]),
            ).catch((err: unknown) => log.warn({ err }, 'trava não liberada'))
          holders.delete(name)
        },
      }
    } catch (error) {
      holders.delete(name)
      throw error
    }
  }

  return {
    async acquire(name, onContended, timeout_ms, purpose = 'use') {
      const deadline = performance.now() + timeout_ms
      for (;;) {
        const lock = await tryAcquire(name, onContended, purpose)
        if (lock || performance.now() > deadline) return lock
        await wait(TRY_EVERY_MS)
      }
    },
    async close() {
      const client = await connection?.catch(() => undefined)
      connection = undefined
      await client?.end().catch(() => undefined)
    },
  }
}
