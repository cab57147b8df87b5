import { randomBytes } from 'node:crypto'
import { openKernel, openLog, readConfig, whenAskedToStop } from '@garantia/server/kernel'
import { AppError, textOf } from '@garantia/shared/errors'
import { fill, planOrders, prepare } from './fill.ts'
import { shownPeople } from './people.ts'

const config = readConfig()
const log = openLog(config.LOG_LEVEL, 'demonstração')
const kernel = await openKernel(config, log, { role: 'operador', connections: 6 })
const stopping = new AbortController()
let work: Promise<unknown> = Promise.resolve()
whenAskedToStop(async () => {
  stopping.abort()
  await work.catch(() => undefined)
  await kernel.close()
})

const password = config.DEMO_PASSWORD ?? randomBytes(9).toString('base64url')
try {
  const { started_at, filled_at, is_new } = await prepare(kernel.ctx, password)
  process.send?.({ type: 'prepared', password: is_new ? password : null, people: shownPeople() })
  if (!filled_at) {
    work = fill(kernel.ctx, planOrders(started_at), stopping.signal)
    await work
    log.info('demonstração completa')
  }
} catch (error) {
  if (error instanceof AppError) process.send?.({ type: 'refused', message: textOf(error.detail) })
  else if (!stopping.signal.aborted) {
    log.error({ err: error }, 'demonstração interrompida')
    process.exitCode = 1
  }
} finally {
  // Disconnecting tells the parent process that the work ended, and triggers the shutdown above; without a
  // parent the kernel is closed here.
  if (process.connected) process.disconnect()
  else if (!stopping.signal.aborted) await kernel.close()
}
