import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { conflict, ruleViolation } from '@garantia/shared/errors'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { applicationName } from '../../../kernel/instance.ts'
import { type Digest, digestOf, writeDigested } from '../../../kernel/storage/digest.ts'
import { diskStorage, nullIfMissing } from '../../../kernel/storage/disk.ts'
import type { Storage, StoredEntry } from '../../../kernel/storage/storage.ts'

/** A bucket, or the folder of the files. */
export const MOVE_TARGETS = ['s3', 'disco'] as const
export type MoveTarget = (typeof MOVE_TARGETS)[number]

export interface MoveReport {
  objects: number
  /** Of the objects that are the same on both sides. */
  bytes: number
  /** Those that the target did not have yet. */
  copied: number
  /** Those that were removed from where they came from. */
  removed: number
  /** Keys of objects of which the target has other bytes; they stay where they are, on both sides. */
  different: string[]
}

/** Objects moved at the same time: one that waits for the network holds none of the others up. */
const AT_ONCE = 4
const ENDED_WITHIN_MS = 3_000

/**
 * Copies all stored objects from the folder of the files to the bucket of S3_BUCKET, or back, and reads each copy
 * again. What the target has is not sent again, so that a call that was cut off is repeated. `removes` deletes each
 * object from where it came from once both sides have been read and are the same. Throws AppError `rule` without
 * S3_BUCKET; `conflict` when objects are to be removed while a server or a worker is connected, before anything is
 * copied; Error for a copy that is not what was sent.
 */
export async function moveFiles(ctx: Ctx, to: MoveTarget, removes: boolean): Promise<MoveReport> {
  if (!ctx.config.s3) throw ruleViolation('Diga o bucket em S3_BUCKET: de lá, ou para lá, vão os arquivos.')
  if (removes && (await isInUse(ctx)))
    throw conflict(
      'Pare servidor e worker antes de remover: eles ainda leem e gravam onde os arquivos estão agora.',
    )
  const disk = diskStorage(ctx.config.files_dir)
  const [source, target] = to === 's3' ? [disk, ctx.storage] : [ctx.storage, disk]
  const report: MoveReport = { objects: 0, bytes: 0, copied: 0, removed: 0, different: [] }
  try {
    await ctx.scratch.within('move', (dir) =>
      Readable.from(source.list()).forEach(
        async (entry) => {
          await moveOne(entry, dir)
        },
        { concurrency: AT_ONCE },
      ),
    )
  } finally {
    disk.close()
  }
  return { ...report, different: report.different.sort() }

  async function moveOne({ key, size }: StoredEntry, dir: string) {
    // What a diagnosis writes to try the storage.
    if (key.startsWith('doutor/')) return
    const present = await target.size(key)
    const sent = present === null ? await copy(source, target, key, join(dir, randomUUID())) : undefined
    // Removed since it was listed.
    if (sent === null) return
    report.objects++
    if (sent) report.copied++
    if (present !== null && present !== size) return void report.different.push(key)
    if (removes && !sent) {
      const [before, after] = await Promise.all([digestIn(source, key), digestIn(target, key)])
      if (before.sha256 !== after.sha256) return void report.different.push(key)
    }
    report.bytes += size
    if (!removes) return
    await source.remove(key)
    report.removed++
  }
}

const digestIn = async (storage: Storage, key: string) => digestOf(await storage.read(key))

/** The digest of what was copied; null when there is no such object any more. */
async function copy(source: Storage, target: Storage, key: string, path: string): Promise<Digest | null> {
  const body = await source.read(key).catch(nullIfMissing)
  if (!body) return null
  const sent = await writeDigested(body, path)
  await target.moveIn(key, path)
  if ((await digestIn(target, key)).sha256 !== sent.sha256)
    throw new Error(`O destino não devolve o que foi gravado em ${key}: confira o disco ou o bucket.`)
  return sent
}

/** Whether a server or worker is connected, and still is after the moment in which PostgreSQL sees one that has ended. */
async function isInUse(ctx: Ctx) {
  for (const until = Date.now() + ENDED_WITHIN_MS; await isConnected(ctx); await wait(100))
    if (Date.now() > until) return true
  return false
}

async function isConnected({ db }: Ctx) {
  const names = (['servidor', 'worker'] as const).map((role) => `${applicationName(role, '')}%`)
  const { rows } = await sql<{ is_in_use: boolean }>`select exists (select from pg_stat_activity
    where datname = current_database() and application_name like any (${names})) as is_in_use`.execute(db)
  return rows[0]?.is_in_use === true
}
