import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from './log.ts'

/** Something that one connection of one process has for itself, until it lets go or that process ends. */
export interface AdvisoryLock {
  /** False once the connection that proves it is lost: somebody else may have it by now. */
  isHeld(): boolean
  release(): Promise<void>
}
/** To go on with what is held, or to end it whatever is still under way. */
export type Purpose = 'use' | 'end'
export interface AdvisoryLocks {
  /**
   * Waits for its turn; null when it did not come in time. Whoever has it in this process is told that it
   * is wanted, and what for: a caller who comes back has usually lost that connection.
   */
  acquire(
    name: string,
    onContended: (by: Purpose) => void,
    timeout_ms: number,
    purpose?: Purpose,
  ): Promise<AdvisoryLock | null>
  close(): Promise<void>
}

const TRY_EVERY_MS = 100

/**
 * Advisory locks of PostgreSQL, all of them on one connection of this process: no connection is held per
 * upload, no clock is compared, and a killed process lets go of everything at once.
 */
export function openAdvisoryLocks(url: string, log: Logger): AdvisoryLocks {
  const holders = new Map<string, { onContended: (by: Purpose) => void }>()
  let connection: Promise<pg.Client> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function connect() {
    const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 10_000 })
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

  /** One statement at a time on the one connection. */
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
