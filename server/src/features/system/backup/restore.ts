import { MIGRATIONS, migrateTo } from '@garantia/migrations'
import { conflict, ruleViolation } from '@garantia/shared/errors'
import type pg from 'pg'
import type { Ctx } from '../../../kernel/context.ts'
import { restoreAndMigrate } from '../../../kernel/prepare-database.ts'
import { bringBackFiles } from './files.ts'
import { loadDatabase } from './load.ts'
import { type Contents, readManifest } from './manifest.ts'
import { openPlace, type Place } from './place.ts'
import { migrationsRun, SAME_TEXT } from './queries.ts'
import { type HouseKeys, readSecretsOf } from './secrets.ts'

interface Wishes {
  from: string
  /** The newest backup when absent. */
  id?: string | undefined
  passphrase: string | undefined
  /** Leaves the stored files as they are. */
  database_only: boolean
}

/**
 * Restores a backup into an empty database and migrates it to this version; then brings back the files that the
 * storage does not have. Returns the keys of the installation where the backup has them: the caller keeps them. Throws
 * AppError `conflict` when the database has data, `rule` for a backup of a newer version or another passphrase;
 * nothing has been written then.
 */
export async function restoreBackup(ctx: Ctx, { from, id, passphrase, database_only }: Wishes) {
  const place = await openPlace(ctx, from)
  try {
    const contents = await readManifest(place, id)
    refuseNewer(contents)
    let keys: HouseKeys | null = null
    if (contents.has_secrets && passphrase === undefined)
      throw ruleViolation('O backup tem segredos: informe a senha dele em BACKUP_PASSPHRASE.')
    if (contents.has_secrets && passphrase !== undefined)
      keys = await readSecretsOf(place, contents.id, passphrase)
    await restoreAndMigrate(ctx.config, ctx.log, (owner) => loadInto(owner, place, contents))
    const files = database_only ? 0 : await bringBackFiles(ctx, place, contents)
    return { contents, keys, files }
  } finally {
    place.storage.close()
  }
}

async function loadInto(owner: pg.Pool, place: Place, contents: Contents) {
  await refuseFull(owner)
  await migrateTo(owner, contents.migrations.at(-1) ?? '')
  const client = await owner.connect()
  try {
    await client.query(SAME_TEXT)
    if ((await migrationsRun(client)).join() !== contents.migrations.join())
      throw conflict('O banco já foi migrado além do backup: crie um banco vazio (createdb) e restaure nele.')
    await loadDatabase(client, place, contents)
  } finally {
    // Its settings are not those of other connections.
    client.release(true)
  }
}

function refuseNewer({ migrations, version }: Contents) {
  const unknown = migrations.filter((name) => !Object.hasOwn(MIGRATIONS, name))
  if (unknown.length > 0)
    throw ruleViolation(
      `O backup é de uma versão mais nova do Garantia (${version}; ${unknown.join(', ')}): restaure-o com ela, ou com uma mais nova.`,
    )
}

/** Empty is a database without accounts, companies, orders and events; the tables may be there. */
async function refuseFull(pool: pg.Pool) {
  for (const table of ['users', 'companies', 'service_orders', 'events']) {
    const { rows } = await pool.query<{ is_there: boolean }>(
      `select to_regclass('public.${table}') is not null as is_there`,
    )
    if (!rows[0]?.is_there) continue
    const found = await pool.query(`select from ${table} limit 1`)
    if (found.rowCount)
      throw conflict(
        'O banco não está vazio, e um backup só é restaurado num banco vazio: crie outro (createdb) e aponte DATABASE_URL para ele.',
      )
  }
}
