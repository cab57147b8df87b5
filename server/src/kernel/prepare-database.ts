import { grantToRoleInUse, MAY_CHANGE_EVENTS, MIGRATIONS, migrateToLatest } from '@garantia/migrations'
import pg from 'pg'
import { checkDatabase } from './check-database.ts'
import type { Config } from './config.ts'
import { connectionOf } from './connection.ts'
import type { Logger } from './log.ts'
import { StartProblem } from './start-problem.ts'

/** Connections of the owner, who migrates. */
export const migrationPool = (connectionString: string, log: Logger) => {
  const pool = new pg.Pool({ ...connectionOf(connectionString, 'migração'), max: 2 })
  const lost = (err: Error) => log.warn({ err }, 'conexão com o banco perdida')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return pool
}
const ONE = 'select current_user as role'

/**
 * Migrates the database as its owner (MIGRATION_DATABASE_URL) and grants to the role in use (DATABASE_URL) what it
 * needs. A database that a newer version has migrated is left as it is, and refused unless that version still accepts
 * this one (`schema_compatibility`). With one role only that one migrates, unless it is the role in use of a database that its owner has migrated:
 * then nothing may be missing. `beforeMigrating` runs when a database with data lacks a migration. Throws StartProblem when something is.
 */
export async function prepareDatabase(
  { DATABASE_URL, MIGRATION_DATABASE_URL }: Pick<Config, 'DATABASE_URL' | 'MIGRATION_DATABASE_URL'>,
  log: Logger,
  beforeMigrating = async () => {},
) {
  const say = (line: string) => log.info(line)
  await checkDatabase(DATABASE_URL, say)
  if (MIGRATION_DATABASE_URL) await checkDatabase(MIGRATION_DATABASE_URL, say)
  const inUse = migrationPool(DATABASE_URL, log)
  const owner = migrationPool(MIGRATION_DATABASE_URL ?? DATABASE_URL, log)
  try {
    if (await isNewer(inUse)) {
      log.warn('o banco é de uma versão mais nova, que ainda aceita esta: atualize este servidor')
      return
    }
    if (!MIGRATION_DATABASE_URL && (await isForeign(inUse))) return await refuseOutdated(inUse)
    const { run, missing } = await migrationsOf(owner)
    if (run.size > 0 && missing.length > 0) await beforeMigrating()
    await migrateAndGrant(inUse, owner)
  } finally {
    await Promise.all([inUse.end(), owner.end()])
  }
}

/**
 * Restores into the database as its owner, then migrates it to this version and grants what the role in use needs,
 * which may read nothing before.
 */
export async function restoreAndMigrate(
  { DATABASE_URL, MIGRATION_DATABASE_URL }: Pick<Config, 'DATABASE_URL' | 'MIGRATION_DATABASE_URL'>,
  log: Logger,
  restore: (owner: pg.Pool) => Promise<void>,
) {
  const inUse = migrationPool(DATABASE_URL, log)
  const owner = migrationPool(MIGRATION_DATABASE_URL ?? DATABASE_URL, log)
  try {
    await restore(owner)
    await migrateAndGrant(inUse, owner)
  } finally {
    await Promise.all([inUse.end(), owner.end()])
  }
}

async function migrateAndGrant(inUse: pg.Pool, owner: pg.Pool) {
  await migrateToLatest(owner)
  const [role, owning] = [await roleOf(inUse), await roleOf(owner)]
  if (role !== owning) await grantToRoleInUse(owner, role)
}

const roleOf = async (pool: pg.Pool) => (await pool.query<{ role: string }>(ONE)).rows[0]?.role ?? ''

/** Whether there are events, of another owner. */
async function isForeign(pool: pg.Pool) {
  const { rows } = await pool.query<{ is_foreign: boolean }>(
    `select not pg_has_role(current_user, relowner, 'MEMBER') as is_foreign
      from pg_class where oid = to_regclass('public.events')`,
  )
  return rows[0]?.is_foreign === true
}

async function migrationsOf(pool: pg.Pool) {
  const { rows: table } = await pool.query(`select where to_regclass('public.kysely_migration') is not null`)
  if (table.length === 0) return { run: new Set<string>(), missing: Object.keys(MIGRATIONS), unknown: [] }
  const { rows } = await pool.query<{ name: string }>('select name from kysely_migration')
  const run = new Set(rows.map(({ name }) => name))
  return {
    run,
    missing: Object.keys(MIGRATIONS).filter((name) => !run.has(name)),
    unknown: [...run].filter((name) => !Object.hasOwn(MIGRATIONS, name)),
  }
}

/** Whether a newer version has migrated this database, and this one may still run on it. Throws when it may not. */
async function isNewer(pool: pg.Pool) {
  const { missing, unknown } = await migrationsOf(pool)
  if (unknown.length === 0) return false
  const { rows } = await pool.query<{ needs: string }>('select needs from schema_compatibility')
  const needs = rows[0]?.needs ?? ''
  if (Object.hasOwn(MIGRATIONS, needs) && missing.length === 0) return true
  throw new StartProblem(
    `O banco é de uma versão mais nova do Garantia (${unknown.join(', ')}), que já não aceita esta: ` +
      'inicie a versão que migrou o banco, ou uma mais nova.',
  )
}

/** Whether this database lacks a migration of this version; false also for one of a newer version. Throws as a start. */
export async function isBehind(url: string, log: Logger) {
  const pool = migrationPool(url, log)
  try {
    if (await isNewer(pool)) return false
    return (await migrationsOf(pool)).missing.length > 0
  } finally {
    await pool.end()
  }
}

async function refuseOutdated(pool: pg.Pool) {
  const { missing } = await migrationsOf(pool)
  if (missing.length > 0)
    throw new StartProblem(
      `O banco não está migrado (${missing.join(', ')}), e a conta de DATABASE_URL não pode migrá-lo: ` +
        'inicie com MIGRATION_DATABASE_URL, a conta do dono do banco.',
    )
}

/** Whether whoever has the password in use can change or remove events, or only add some. */
export async function mayChangeEvents(pool: Pick<pg.Pool, 'query'> | pg.Client) {
  const { rows } = await pool.query<{ may_change: boolean }>(MAY_CHANGE_EVENTS)
  return rows[0]?.may_change === true
}
