import { openActivePeople } from './active-people.ts'
import { openAdvisoryLocks } from './advisory-locks.ts'
import { createBatches } from './batches.ts'
import type { Config } from './config.ts'
import type { Ctx } from './context.ts'
import { openDatabase } from './database.ts'
import type { Role } from './instance.ts'
import type { Logger } from './log.ts'
import { openScratch } from './scratch.ts'
import { openSecurityLog } from './security-log.ts'
import { openSessions } from './sessions.ts'
import { diskStorage } from './storage/disk.ts'
import { openPartialFiles } from './storage/partial-files.ts'

export interface Kernel {
  /** Context with the system as actor; the REST and tRPC layers replace the actor per request. */
  ctx: Ctx
  pool: ReturnType<typeof openDatabase>['pool']
  close(): Promise<void>
}

/**
 * Opens the dependencies of use cases for a server, a worker or a test: database pool of `connections`,
 * scratch folder, storage (bucket or disk), locks and sessions. Throws StorageFault when a configured bucket
 * cannot be reached.
 */
export async function openKernel(
  config: Config,
  log: Logger,
  options: { connections: number; role?: Role; statement_timeout?: number },
): Promise<Kernel> {
  const tracing =
    config.OTEL_EXPORTER_OTLP_ENDPOINT && options.role
      ? (await import('./tracing.ts')).startTracing(config, options.role, log)
      : undefined
  const { db, pool } = openDatabase(config.DATABASE_URL, log, {
    max: options.connections,
    role: options.role,
    ...(options.statement_timeout && { statement_timeout: options.statement_timeout }),
  })
  const scratch = await openScratch(config.scratch_dir)
  const storage = config.s3
    ? await (await import('./storage/s3.ts')).s3Storage(config.s3)
    : diskStorage(config.files_dir)
  const advisoryLocks = openAdvisoryLocks(config.DATABASE_URL, log, options.role)
  const securityLog = openSecurityLog({ db, log, config })
  const ctx: Ctx = {
    db,
    storage,
    partialFiles: openPartialFiles(config.partial_files_dir),
    advisoryLocks,
    sessions: openSessions(db, config.SECOND_FACTOR_REQUIRED),
    activePeople: openActivePeople(db),
    securityLog,
    scratch,
    inBatches: createBatches(),
    config,
    clock: () => new Date(),
    log,
    actor: { kind: 'system' },
  }
  return {
    ctx,
    pool,
    async close() {
      await securityLog.close()
      await scratch.close()
      storage.close()
      await advisoryLocks.close()
      await db.destroy()
      await tracing?.close()
    },
  }
}
