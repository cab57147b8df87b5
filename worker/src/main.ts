import { openKernel, openLog, readConfig, whenAskedToStop } from '@garantia/server/kernel'
import { jobsOf, startWorker } from './run.ts'

const config = readConfig()
const log = openLog(config.LOG_LEVEL, 'worker')
const closing: (() => Promise<unknown>)[] = []
whenAskedToStop(async () => {
  for (const close of closing.reverse())
    await close().catch((err: unknown) => log.error({ err }, 'parada incompleta'))
})

const kernel = await openKernel(config, log, { role: 'worker', connections: jobsOf(config) * 2 + 4 })
closing.push(() => kernel.close())
const worker = await startWorker(kernel)
closing.push(() => worker.stop())
log.info({ concurrency: config.WORKER_CONCURRENCY }, 'pronto')

worker.failed.catch((err: unknown) => {
  log.fatal({ err }, 'não posso continuar')
  // Another worker may already have locked our jobs, so nothing more is written.
  process.exit(1)
})
