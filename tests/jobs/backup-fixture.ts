import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATIONS, migrateTo } from '@garantia/migrations'
import { recordEvent } from '@garantia/server/kernel'
import { Client, Pool } from 'pg'
import { expect } from 'vitest'
import { emptyDatabase } from '../support/postgres.ts'
import { filesUnder, startTestApp } from '../support/test-app.ts'
import { operatorCommand } from './process.ts'

export const [DONE, FAILED, USAGE, FOUND] = [0, 1, 2, 4]
export const PASSPHRASE = { BACKUP_PASSPHRASE: 'uma senha bem longa' }

/** An installation with an order of two converted files, folders for backups, and other machines. */
export async function openBackupFixture() {
  const testApp = await startTestApp()
  const folders = await mkdtemp(join(tmpdir(), 'garantia-backup-'))
  const { ctx } = testApp.kernel
  const noteEvent = (subject_id: number) =>
    recordEvent(ctx, { subject: 'order', subject_id, kind: 'order.changed', changes: { notes: ['a', 'b'] } })
  const { id: order_id } = await testApp.make.order({ customer_name: 'Ana \\ «Conceição»\tda Silva' })
  await testApp.make.converted({ order_id })
  await testApp.make.converted({ order_id })
  await noteEvent(order_id)
  let count = 0

  /** Another machine: an empty database, with tables or without, and an empty folder. */
  async function bareMachine(environment: Record<string, string> = {}, makeDatabase = emptyDatabase) {
    const database = await makeDatabase()
    const dir = await mkdtemp(join(folders, 'maquina-'))
    const env = {
      DATABASE_URL: database.url,
      MIGRATION_DATABASE_URL: database.owner_url,
      DATA_DIR: dir,
      ...environment,
    }
    return {
      dir,
      env,
      run: (args: string[], more: Record<string, string> = {}) =>
        operatorCommand(testApp, args, { ...env, ...more }),
      async rows(sql: string) {
        const client = new Client({ connectionString: database.owner_url })
        await client.connect()
        try {
          return (await client.query(sql)).rows
        } finally {
          await client.end()
        }
      },
      [Symbol.asyncDispose]: database.drop,
    }
  }

  return {
    ...{ testApp, ctx, folders, noteEvent, bareMachine },
    /** A place for backups that is not there yet. */
    folder: () => join(folders, `lugar-${++count}`),
    run: (args: string[], env: Record<string, string> = {}) => operatorCommand(testApp, args, env),
    async [Symbol.asyncDispose]() {
      await testApp[Symbol.asyncDispose]()
      await rm(folders, { recursive: true, force: true })
    },
  }
}

export const objectsIn = async (to: string) =>
  (await filesUnder(to)).filter((path) => path.includes('/objects/')).sort()

export const MIGRATION_NAMES = Object.keys(MIGRATIONS).sort()
/** Migrates an empty database to the last migration but one, then runs the SQL there. */
export async function migrateToLastButOne(connectionString: string, sql = 'select') {
  const pool = new Pool({ connectionString })
  const lost = (error: Error) => expect.unreachable(error.message)
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  await migrateTo(pool, MIGRATION_NAMES.at(-2) ?? '')
  await pool.query(sql)
  await pool.end()
}

/** Holds up a backup at its last table: every other one is copied by then. */
export async function holdLastTable(owner_url: string) {
  const locker = new Client({ connectionString: owner_url })
  await locker.connect()
  await locker.query('begin; lock table worker_processes in access exclusive mode')
  return {
    async release() {
      await locker.query('rollback')
      await locker.end()
    },
  }
}
