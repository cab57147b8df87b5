import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { conflict, ruleViolation } from '@garantia/shared/errors'
import { sql } from 'kysely'
import pg from 'pg'
import { connectionOf } from '../../../kernel/connection.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { JOURNAL } from '../../../kernel/event-keys.ts'
import { productVersion } from '../../../kernel/product-version.ts'
import { faultsOf } from './check.ts'
import { dumpDatabase } from './dump.ts'
import { copyFiles } from './files.ts'
import type { KeepRule } from './keep.ts'
import { type Contents, writeManifest } from './manifest.ts'
import { openPlace } from './place.ts'
import { pruneBackups } from './prune.ts'
import { SAME_TEXT } from './queries.ts'
import { noteRun } from './runs.ts'
import { keysOf, storeSecrets } from './secrets.ts'

/** One backup of an installation at a time: the next would take the unfinished files of the other for left behind. */
const LOCK = 7_201_021

interface Wishes {
  /** A folder, or `s3://bucket/prefix`. */
  to: string
  /** Without it the keys of this installation are left out. */
  passphrase: string | undefined
  /** Which backups stay in the place afterwards; without it all do. */
  keep?: KeepRule | undefined
  /** Whether it waits for the end of a backup that runs, instead of refusing. */
  waits?: boolean
  /** Ends it without a backup, and without a note of a failure. */
  signal?: AbortSignal
}

/**
 * Copies database, files and keys while everything runs, checks the copy and writes its manifest; then removes the
 * backups that are not to be kept. What was committed before the call is in it. How it ended is noted. Throws AppError
 * `conflict` while another backup runs and when the copy is not what was recorded, and the signal's reason when it was
 * aborted; then there is no manifest.
 */
export async function backUp(ctx: Ctx, wishes: Wishes) {
  const client = new pg.Client(connectionOf(ctx.config.DATABASE_URL, 'operador'))
  // A lost connection fails the statement that waits for it.
  client.on('error', (err) => ctx.log.warn({ err }, 'conexão com o banco perdida'))
  // A table may take minutes: its COPY ends with the connection.
  const end = () => void client.end()
  try {
    await client.connect()
    wishes.signal?.addEventListener('abort', end)
    wishes.signal?.throwIfAborted()
    await client.query(SAME_TEXT)
    await takeTurn(client, wishes.waits === true)
    return await noteRun(ctx, { kind: 'backup', place: wishes.to, signal: wishes.signal }, () =>
      copyAll(ctx, client, wishes),
    )
  } catch (error) {
    throw wishes.signal?.aborted ? wishes.signal.reason : error
  } finally {
    wishes.signal?.removeEventListener('abort', end)
    await client.end()
  }
}

/** Keys of the storage below a folder. */
async function keysIn(ctx: Ctx, folder: string) {
  const keys = new Set<string>()
  for await (const { key } of ctx.storage.list(folder)) keys.add(key)
  return keys
}

async function takeTurn(client: pg.Client, waits: boolean) {
  if (waits) return void (await client.query(`select pg_advisory_lock(${LOCK})`))
  const { rows } = await client.query<{ is_mine: boolean }>(`select pg_try_advisory_lock(${LOCK}) as is_mine`)
  if (!rows[0]?.is_mine) throw conflict('Outro backup está em andamento; espere que ele termine.')
}

/** Whether a backup of this installation runs now. */
export async function isBackupRunning(ctx: Ctx) {
  const { rows } = await sql<{ is_running: boolean }>`select exists (select from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1 and classid = 0 and objid = ${sql.lit(LOCK)}
      and database = (select oid from pg_database where datname = current_database())) as is_running`.execute(
    ctx.db,
  )
  return rows[0]?.is_running === true
}

const OF_PLACE: Record<string, string> = {
  EEXIST: 'no lugar da pasta há um arquivo',
  ENOTDIR: 'no lugar da pasta há um arquivo',
  EACCES: 'esta conta não pode gravar ali',
  EPERM: 'esta conta não pode gravar ali',
  EROFS: 'o disco só aceita leituras',
  ENOSPC: 'o disco está cheio',
  EDQUOT: 'a cota do disco acabou',
  EIO: 'o disco tem um defeito',
}
/** A failed write says no path; one that says another is of a stored file that could not be read. */
function inWords(error: unknown, to: string) {
  const { code = '', path } = error as NodeJS.ErrnoException
  const words = path === undefined || path.startsWith(resolve(to)) ? OF_PLACE[code] : undefined
  return words ? ruleViolation(`Não é possível gravar em ${to}: ${words}.`, { cause: error }) : error
}

async function copyAll(ctx: Ctx, client: pg.Client, { to, passphrase, keep, signal }: Wishes) {
  const place = await openPlace(ctx, to)
  try {
    await place.clear()
    const at = ctx.clock().toISOString()
    const id = `${at.replace(/\.\d+Z$/, 'Z').replaceAll(':', '-')}-${randomBytes(3).toString('hex')}`
    const journal = await keysIn(ctx, JOURNAL)
    // The rows first: each of their files is stored before its row.
    const database = await dumpDatabase(client, place, id)
    signal?.throwIfAborted()
    const { files, copied } = await copyFiles(ctx, place, id, { journal, signal })
    const secrets =
      passphrase === undefined ? null : await storeSecrets(place, id, keysOf(ctx.config), passphrase)
    const contents: Contents = {
      format: 2,
      id,
      at,
      version: productVersion(),
      ...database,
      files,
      has_secrets: secrets !== null,
      ...(secrets && { secrets_sha256: secrets.sha256 }),
    }
    signal?.throwIfAborted()
    const [fault] = await faultsOf(place, contents, false)
    if (fault) throw conflict(`O backup não confere (${fault.key}) e não vale: confira o disco ou o bucket.`)
    await place.within((dir) => writeManifest(place, dir, contents, ctx.config))
    const removed = keep ? await pruneBackups(place, keep) : { backups: 0, files: 0 }
    return { contents, copied, removed }
  } catch (error) {
    throw inWords(error, to)
  } finally {
    place.storage.close()
  }
}
