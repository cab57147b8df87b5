import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { migrateToLatest } from '@garantia/migrations'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import type { TestProject } from 'vitest/node'
import { asAdmin, onDatabase, TEMPLATE } from './postgres.ts'

/** One throw-away PostgreSQL for the whole run, with a migrated database to be copied. */
export default async function setUp(project: TestProject) {
  const postgresProcess = spawn(
    process.execPath,
    [fileURLToPath(new URL('throw-away-postgres.ts', import.meta.url))],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    },
  )
  const ended = once(postgresProcess, 'exit')
  const [postgres] = await Promise.race([
    once(postgresProcess, 'message'),
    ended.then(() => Promise.reject(new Error('O PostgreSQL dos testes não iniciou'))),
  ])
  await asAdmin(postgres.admin_url, `create database ${TEMPLATE} owner garantia`)
  await migrate(onDatabase(postgres.url, TEMPLATE))
  project.provide('postgres', postgres)
  // Every temporary folder of every test lies in the one that is removed at the end.
  process.env.TMPDIR = postgres.dir
  return async () => {
    postgresProcess.disconnect()
    await ended
  }
}

async function migrate(url: string) {
  const pool = new Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  await migrateToLatest(db, pool)
  await db.destroy()
}
