import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ruleViolation } from '@garantia/shared/errors'
import pg, { escapeIdentifier } from 'pg'
import { connectionOf } from '../../../kernel/connection.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { restoreBackup } from './restore.ts'
import { noteRun } from './runs.ts'
import { houseTrust } from './signature.ts'

const PREFIX = 'garantia_prova_'

/**
 * Restores the newest backup into a database that is made for it and removed afterwards: rows, hashes and chain heads
 * are compared as by `restoreBackup`, and the keys are opened; files are not touched. Only a signature of this installation counts. Needs an account that may
 * create databases. Throws AppError `rule` where it may not, and what `restoreBackup` throws.
 */
export function tryBackup(ctx: Ctx, from: string, accept_unsigned = false) {
  return noteRun(ctx, { kind: 'trial', place: from }, async () => {
    const url = ctx.config.MIGRATION_DATABASE_URL ?? ctx.config.DATABASE_URL
    const admin = new pg.Client(connectionOf(url, 'operador', 0))
    admin.on('error', (err) => ctx.log.warn({ err }, 'conexão com o banco perdida'))
    await admin.connect()
    const name = `${PREFIX}${randomBytes(6).toString('hex')}`
    try {
      await removeLeftOver(admin)
      await admin.query(`create database ${escapeIdentifier(name)}`).catch(refuseWithoutRight)
      const DATABASE_URL = onDatabase(url, name)
      const trial = { ...ctx, config: { ...ctx.config, DATABASE_URL, MIGRATION_DATABASE_URL: undefined } }
      return await restoreBackup(trial, {
        ...{ from, passphrase: ctx.config.BACKUP_PASSPHRASE, database_only: true },
        ...{ trust: houseTrust(ctx), accept_unsigned },
      })
    } finally {
      await connectionsEnd(admin, name)
      await admin
        .query(`drop database if exists ${escapeIdentifier(name)} with (force)`)
        .catch((err: unknown) => ctx.log.warn({ err, name }, 'o banco de prova ficou'))
      await admin.end()
    }
  })
}

/** Whether this account may create the database of a trial. */
export async function mayTryBackups({ config, log }: Ctx) {
  const client = new pg.Client(connectionOf(config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL, 'operador'))
  client.on('error', (err) => log.warn({ err }, 'conexão com o banco perdida'))
  await client.connect()
  try {
    const { rows } = await client.query<{ may: boolean }>(
      'select rolsuper or rolcreatedb as may from pg_roles where rolname = current_user',
    )
    return rows[0]?.may === true
  } finally {
    await client.end()
  }
}

/** What a trial that was killed has left; one that is in use belongs to a trial that runs. */
async function removeLeftOver(admin: pg.Client) {
  const { rows } = await admin.query<{ name: string }>(
    `select datname as name from pg_database where datname like '${PREFIX}%' and pg_has_role(datdba, 'MEMBER')
      and not exists (select from pg_stat_activity where datid = pg_database.oid)`,
  )
  for (const { name } of rows) await admin.query(`drop database if exists ${escapeIdentifier(name)}`)
}

/** On a busy machine it takes PostgreSQL seconds, and a drop by force waits five for them. */
const END_MS = 30_000
/** Of a pool that has ended, PostgreSQL ends the connections a moment later. */
async function connectionsEnd(admin: pg.Client, name: string) {
  for (const end = Date.now() + END_MS; Date.now() < end; await wait(20)) {
    const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [name])
    if (rowCount === 0) return
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'
function refuseWithoutRight(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)
    throw ruleViolation(
      'A conta do banco não pode criar o banco da prova: alter role … createdb, ou use outra conta em MIGRATION_DATABASE_URL.',
    )
  throw error
}

function onDatabase(url: string, name: string) {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}
