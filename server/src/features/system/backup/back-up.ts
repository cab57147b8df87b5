import { randomBytes } from 'node:crypto'
import { conflict } from '@garantia/shared/errors'
import pg from 'pg'
import { connectionOf } from '../../../kernel/connection.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { faultsOf } from './check.ts'
import { dumpDatabase } from './dump.ts'
import { copyFiles } from './files.ts'
import { type Contents, writeManifest } from './manifest.ts'
import { openPlace } from './place.ts'
import { SAME_TEXT } from './queries.ts'
import { keysOf, storeSecrets } from './secrets.ts'

/** One backup of an installation at a time: the next would take the unfinished files of the other for left behind. */
const LOCK = 7_201_020

interface Wishes {
  /** A folder, or `s3://bucket/prefix`. */
  to: string
  /** Version of the product, for the manifest. */
  version: string
  /** Without it the keys of this installation are left out. */
  passphrase: string | undefined
}

/**
 * Copies database, files and keys while everything runs, checks the copy and writes its manifest. What was committed
 * before the call is in it. Throws AppError `conflict` while another backup runs, and when the copy is not what was
 * recorded; then there is no manifest.
 */
export async function backUp(ctx: Ctx, { to, version, passphrase }: Wishes) {
  const place = await openPlace(ctx, to)
  const client = new pg.Client(connectionOf(ctx.config.DATABASE_URL, 'operador'))
  // A lost connection fails the statement that waits for it.
  client.on('error', (err) => ctx.log.warn({ err }, 'conexão com o banco perdida'))
  try {
    await client.connect()
    await client.query(SAME_TEXT)
    const { rows } = await client.query<{ is_mine: boolean }>(
      `select pg_try_advisory_lock(${LOCK}) as is_mine`,
    )
    if (!rows[0]?.is_mine) throw conflict('Outro backup está em andamento; espere que ele termine.')
    await place.clear()
    const at = ctx.clock().toISOString()
    const id = `${at.replace(/\.\d+Z$/, 'Z').replaceAll(':', '-')}-${randomBytes(3).toString('hex')}`
    // The rows first: each of their files is stored before its row.
    const database = await dumpDatabase(client, place, id)
    const { files, copied } = await copyFiles(ctx, place, id)
    if (passphrase !== undefined) await storeSecrets(place, id, keysOf(ctx.config), passphrase)
    const contents: Contents = {
      format: 1,
      id,
      at,
      version,
      ...database,
      files,
      has_secrets: passphrase !== undefined,
    }
    const [fault] = await faultsOf(place, contents, false)
    if (fault) throw conflict(`O backup não confere (${fault.key}) e não vale: confira o disco ou o bucket.`)
    await place.within((dir) => writeManifest(place, dir, contents))
    return { contents, copied }
  } finally {
    await client.end()
    place.storage.close()
  }
}
