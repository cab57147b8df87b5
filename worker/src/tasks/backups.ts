import {
  backUpWhenDue,
  mayTryBackups,
  readBackupRuns,
  tryBackup,
} from '@garantia/server/features/system/backup'
import type { Job } from '../task.ts'

/** Runs every hour, and is due once a night. A failure is noted and tried again in the next hour. */
export const backUpNightly: Job<'back-up'> = async (ctx, _, { signal }) => {
  try {
    const made = await backUpWhenDue(ctx, signal)
    if (!made) return
    const { contents, copied, removed } = made
    ctx.log.info(
      { backup: contents.id, files: contents.files.count, copied, removed },
      'backup completo e conferido',
    )
  } catch (err) {
    // The worker stops: the next one begins anew.
    if (signal.aborted) throw err
    ctx.log.error({ err }, 'backup não foi feito: a próxima tentativa é daqui a uma hora')
  }
}

/** Where this account may create the database of the trial; elsewhere an operator runs `provar-backup`. */
export const tryBackupMonthly: Job<'try-backup'> = async (ctx) => {
  const { BACKUP_TO } = ctx.config
  if (BACKUP_TO === undefined || (await readBackupRuns(ctx)).done === null) return
  if (!(await mayTryBackups(ctx))) {
    ctx.log.warn(
      'a conta do banco não pode criar o banco da prova do backup: npm run worker -- provar-backup',
    )
    return
  }
  try {
    const { contents } = await tryBackup(ctx, BACKUP_TO)
    ctx.log.info({ backup: contents.id }, 'backup restaurado para prova, tudo confere')
  } catch (err) {
    ctx.log.error({ err }, 'o backup não pôde ser restaurado para prova')
  }
}
