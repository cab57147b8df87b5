import { openKernel, openLog, readConfig } from '@garantia/server/kernel'
import { startWorker } from './run.ts'

const config = readConfig()
const log = openLog(config.LOG_LEVEL, 'operário')
const kernel = await openKernel(config, log, { connections: config.WORKER_CONCURRENCY * 2 + 4 })
const worker = await startWorker(kernel)
log.info({ concurrency: config.WORKER_CONCURRENCY }, 'pronto')

let isClosing = false
async function close(code: number) {
  if (isClosing) return
  isClosing = true
  await worker.stop().catch((err: unknown) => log.error({ err }, 'parada incompleta'))
  await kernel.close()
  process.exit(code)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close(0))
// The supervisor is gone: nobody would ever stop this process.
process.on('disconnect', () => void close(0))
worker.failed.catch((err: unknown) => {
  log.fatal({ err }, 'não posso continuar')
  // Others may already hold our jobs: nothing more is written.
  process.exit(1)
})
