import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { migrateToLatest } from '@garantia/migrations'
import { Pool } from 'pg'
import { asAdmin, onDatabase, TEMPLATE } from './postgres.ts'

/**
 * Starts the PostgreSQL of a test run with a migrated database to be copied, unless whoever started this process
 * has one already. Its address goes into TEST_POSTGRES, its folder into TMPDIR: every temporary folder of every
 * test lies in the one that is removed at the end. Returns the function that ends it.
 */
export async function startTestPostgres(): Promise<() => Promise<void>> {
  if (process.env.TEST_POSTGRES) return async () => {}
  const supervisor = spawn(
    process.execPath,
    [fileURLToPath(new URL('throw-away-postgres.ts', import.meta.url))],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true },
  )
  const ended = once(supervisor, 'exit')
  const [postgres] = await Promise.race([
    once(supervisor, 'message'),
    ended.then(() => Promise.reject(new Error('O PostgreSQL dos testes não iniciou'))),
  ])
  await asAdmin(postgres.admin_url, `create database ${TEMPLATE} owner garantia`)
  await migrate(onDatabase(postgres.url, TEMPLATE))
  process.env.TEST_POSTGRES = JSON.stringify(postgres)
  process.env.TMPDIR = postgres.dir
  return async () => {
    supervisor.disconnect()
    await ended
  }
}

async function migrate(url: string) {
  const pool = new Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  await migrateToLatest(pool)
  await pool.end()
}
