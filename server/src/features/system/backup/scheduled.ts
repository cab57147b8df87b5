import type { Ctx } from '../../../kernel/context.ts'
import { backUp, isBackupRunning } from './back-up.ts'
import { lastBackupIn } from './runs.ts'

const HOUR_MS = 3_600_000
/** In UTC: 1 h at night in Brasília. */
const NIGHT_HOUR = 4
/** One that began less than this ago was made today, whenever that was. */
const FRESH_MS = 20 * HOUR_MS
/** Older than this it is not left to the next night: a machine that sleeps at night has none otherwise. */
const OVERDUE_MS = 26 * HOUR_MS

/**
 * Whether a backup is to be made now: where none was made yet, at night, and at any hour where one is overdue.
 * `began_at` is of the last complete one.
 */
export function isBackupDue(now: Date, began_at: Date | null) {
  if (began_at === null) return true
  const age = now.getTime() - began_at.getTime()
  return age > OVERDUE_MS || (age > FRESH_MS && now.getUTCHours() === NIGHT_HOUR)
}

/**
 * Makes the backup of the night in BACKUP_TO when it is due, and removes those that BACKUP_KEEP does not keep. Null
 * when there was nothing to do, also while one runs.
 */
export async function backUpWhenDue(ctx: Ctx, signal?: AbortSignal) {
  const { BACKUP_TO, BACKUP_KEEP, BACKUP_PASSPHRASE } = ctx.config
  if (BACKUP_TO === undefined) return null
  const last = await lastBackupIn(ctx, BACKUP_TO)
  if (!isBackupDue(ctx.clock(), last?.started_at ?? null) || (await isBackupRunning(ctx))) return null
  return backUp(ctx, {
    to: BACKUP_TO,
    passphrase: BACKUP_PASSPHRASE,
    keep: BACKUP_KEEP,
    ...(signal && { signal }),
  })
}
