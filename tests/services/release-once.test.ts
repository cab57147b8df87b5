import { releaseOnce } from '@garantia/worker/release-once'
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { runningPostgres } from '../support/postgres.ts'

test('a connection that was taken with a callback is released once, however often that is asked', async () => {
  const pool = new Pool({ connectionString: runningPostgres().url, max: 1 })
  const shared = releaseOnce(pool)
  await new Promise<void>((resolve, reject) =>
    shared.connect((error, client, release) => {
      if (error || !client) return reject(error)
      release()
      release()
      resolve()
    }),
  )
  const client = await shared.connect()
  expect([pool.totalCount, pool.idleCount, shared.totalCount]).toEqual([1, 0, 1])
  client.release()
  await pool.end()
})
