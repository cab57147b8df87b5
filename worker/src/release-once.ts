import type { Pool, PoolClient } from 'pg'

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (destroy?: boolean | Error) => void,
) => void

/**
 * The pool, where a connection that was taken with a callback can be released twice. graphile-worker does so with the
 * one it listens on when the database ends while it stops; pg-pool throws at it, where nobody catches, and the process
 * would end.
 */
export function releaseOnce(pool: Pool): Pool {
  const connect = (connected?: Connected) =>
    connected
      ? pool.connect((error, client, release) => {
          let isReleased = false
          connected(error, client, (destroy) => {
            if (isReleased) return
            isReleased = true
            release(destroy)
          })
        })
      : pool.connect()
  return new Proxy(pool, {
    get(target, key) {
      if (key === 'connect') return connect
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
