import { MIGRATIONS, migrateTo } from '@garantia/migrations'
import { conflict, ruleViolation } from '@garantia/shared/errors'
import type pg from 'pg'
import type { Ctx } from '../../../kernel/context.ts'
import { restoreAndMigrate } from '../../../kernel/prepare-database.ts'
import { bringBackFiles } from './files.ts'
import { loadDatabase } from './load.ts'
import { type Contents, readManifest } from './manifest.ts'
import { openPlace, type Place } from './place.ts'
import { hasData, migrationsRun, SAME_TEXT } from './queries.ts'
import { type HouseKeys, readSecretsOf } from './secrets.ts'
import { refuseUntrusted, type Trust, withKeysOf } from './signature.ts'

interface Wishes {
  from: string
  /** The newest backup when absent. */
  id?: string | undefined
  passphrase: string | undefined
  /** Leaves the stored files as they are. */
  database_only: boolean
  /** Whose signature counts; on a machine without data also whose keys the passphrase opens. */
  trust: Trust
  accept_unsigned?: boolean | undefined
}

/**
 * Restores a backup into an empty database and migrates it to this version; then brings back the files that the
 * storage does not have. Returns the keys of the installation where the backup has them: the caller keeps them. Throws
 * AppError `conflict` when the database has data, `rule` for a backup of a newer version, another passphrase or a
 * signature that does not count; nothing has been written then.
 */
export async function restoreBackup(ctx: Ctx, wishes: Wishes) {
  const { from, id, passphrase, database_only, trust, accept_unsigned } = wishes
  const place = await openPlace(ctx, from)
  try {
    const manifest = await readManifest(place, id)
    const { contents } = manifest
    refuseNewer(contents)
    let keys: HouseKeys | null = null
    if (contents.has_secrets && passphrase === undefined)
      throw ruleViolation('O backup tem segredos: informe a senha dele em BACKUP_PASSPHRASE.')
    if (contents.has_secrets && passphrase !== undefined)
      keys = await readSecretsOf(place, contents.id, passphrase)
    refuseUntrusted(manifest, keys ? withKeysOf(trust, keys) : trust, accept_unsigned)
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

async function refuseFull(pool: pg.Pool) {
  if (await hasData((text) => pool.query(text)))
    throw conflict(
      'O banco não está vazio, e um backup só é restaurado num banco vazio: crie outro (createdb) e aponte DATABASE_URL para ele.',
    )
}
