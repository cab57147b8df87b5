import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from './log.ts'

/** Something that one connection of one process has for itself, until it lets go or that process ends. */
export interface Hold {
  /** False once the connection that proves it is lost: somebody else may have it by now. */
  isHeld(): boolean
  release(): Promise<void>
}
/** To go on with what is held, or to end it whatever is still under way. */
export type Purpose = 'use' | 'end'
export interface Holds {
  /**
   * Waits for its turn; null when it did not come in time. Whoever has it in this process is told that it
   * is wanted, and what for: a caller who comes back has usually lost that connection.
   */
  take(
    name: string,
    wanted: (by: Purpose) => void,
    patience_ms: number,
    purpose?: Purpose,
  ): Promise<Hold | null>
  close(): Promise<void>
}

const TRY_EVERY_MS = 100

/**
 * Advisory locks of PostgreSQL, all of them on one connection of this process: no connection is held per
 * upload, no clock is compared, and a killed process lets go of everything at once.
 */
export function openHolds(url: string, log: Logger): Holds {
  const held = new Map<string, { wanted: (by: Purpose) => void }>()
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
  function inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = last.then(ask, ask)
    last = answer.catch(() => undefined)
    return answer
  }

  async function tryTake(
    name: string,
    wanted: (by: Purpose) => void,
    purpose: Purpose,
  ): Promise<Hold | null> {
    const other = held.get(name)
    if (other) {
      other.wanted(purpose)
      return null
    }
    const own = { wanted }
    held.set(name, own)
    try {
      const proof = connected()
      const client = await proof
      const { rows } = await inTurn(() =>
        client.query<{ taken: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as taken', [
          name,
        ]),
      )
      if (!rows[0]?.taken) {
        held.delete(name)
        return null
      }
      const isHeld = () => connection === proof && held.get(name) === own
      return {
        isHeld,
        async release() {
          const isOurs = isHeld()
          if (isOurs)
            await inTurn(() =>
              client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]),
            ).catch((err: unknown) => log.warn({ err }, 'trava não liberada'))
          held.delete(name)
        },
      }
    } catch (error) {
      held.delete(name)
      throw error
    }
  }

  return {
    async take(name, wanted, patience_ms, purpose = 'use') {
      const deadline = performance.now() + patience_ms
      for (;;) {
        const hold = await tryTake(name, wanted, purpose)
        if (hold || performance.now() > deadline) return hold
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
