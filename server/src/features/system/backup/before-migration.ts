import type { Config } from '../../../kernel/config.ts'
import type { Logger } from '../../../kernel/log.ts'
import { openKernel } from '../../../kernel/open.ts'
import { StartProblem } from '../../../kernel/start-problem.ts'
import { backUp } from './back-up.ts'

/**
 * Makes a backup in BACKUP_TO of a database that is about to be migrated, after the end of one that runs. Nothing is
 * done without BACKUP_TO, or with BACKUP_BEFORE_MIGRATION=false. Throws StartProblem when the backup fails.
 */
export async function backUpBeforeMigrating(config: Config, log: Logger) {
  const { BACKUP_TO, BACKUP_BEFORE_MIGRATION, BACKUP_PASSPHRASE } = config
  if (BACKUP_TO === undefined || !BACKUP_BEFORE_MIGRATION) return
  log.info({ to: BACKUP_TO }, 'backup antes da migração')
  const kernel = await openKernel(config, log, { role: 'migração', connections: 2 })
  try {
    const { contents } = await backUp(kernel.ctx, {
      to: BACKUP_TO,
      passphrase: BACKUP_PASSPHRASE,
      waits: true,
    })
    log.info({ backup: contents.id }, 'backup completo e conferido')
  } catch (error) {
    throw new StartProblem(
      `O backup antes da migração falhou, e nada foi migrado: ${error instanceof Error ? error.message : error} ` +
        'Corrija o que impede o backup, ou inicie uma vez com BACKUP_BEFORE_MIGRATION=false.',
      { cause: error },
    )
  } finally {
    await kernel.close()
  }
}
