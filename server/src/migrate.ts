import { backUpBeforeMigrating } from './features/system/backup/service.ts'
import { readConfig } from './kernel/config.ts'
import { openLog } from './kernel/log.ts'
import { prepareDatabase } from './kernel/prepare-database.ts'
import { startOrExplain } from './kernel/start-problem.ts'

// A process of its own, which ends before the server starts: the owner's password is in no process that serves.
await startOrExplain(async () => {
  const config = readConfig()
  const log = openLog(config.LOG_LEVEL, 'migração')
  await prepareDatabase(config, log, () => backUpBeforeMigrating(config, log))
})
