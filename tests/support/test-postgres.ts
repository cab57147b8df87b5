import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openLog, prepareDatabase } from '@garantia/server/kernel'
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
  const DATABASE_URL = onDatabase(postgres.url, TEMPLATE)
  const MIGRATION_DATABASE_URL = onDatabase(postgres.owner_url, TEMPLATE)
  await prepareDatabase({ DATABASE_URL, MIGRATION_DATABASE_URL }, openLog('silent', 'teste'))
  process.env.TEST_POSTGRES = JSON.stringify(postgres)
  process.env.TMPDIR = postgres.dir
  return async () => {
    supervisor.disconnect()
    await ended
  }
}
