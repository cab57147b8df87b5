import { setTimeout as wait } from 'node:timers/promises'
import {
  checkDatabase,
  isBehind,
  openKernel,
  openLog,
  readConfig,
  startOrExplain,
  startProblemFrom,
  whenAskedToStop,
} from '@garantia/server/kernel'
import { jobsAtOnce, startWorker, type Worker } from './run.ts'

/** Between two looks at a database that is away, or not migrated yet. */
const PAUSE_MS = 2_000
/** Jobs whose database is gone end by themselves; after this long the process ends with them. */
const ABANDON_MS = 15_000

const config = await startOrExplain(async () => readConfig())
const log = openLog(config.LOG_LEVEL, 'worker')
const connections = jobsAtOnce(config) * 2 + 4

/** Waits in words for a database that is away or not migrated; throws what the operator has to mend. */
async function waitForDatabase(patient: boolean) {
  for (let told = ''; ; await wait(PAUSE_MS)) {
    const say = (line: string) => {
      if (line !== told) log.warn(line)
      told = line
    }
    try {
      await checkDatabase(config.DATABASE_URL, say)
      if (!(await isBehind(config.DATABASE_URL, log))) return
      say('Aguardando as migrações do banco: inicie o servidor desta versão, ou rode npm run migrate.')
    } catch (error) {
      // One that was fine before may refuse while it recovers.
      if (!patient) throw error
      say(startProblemFrom(error)?.message ?? String(error))
    }
  }
}

async function open() {
  const kernel = await openKernel(config, log, { role: 'worker', connections })
  try {
    return { kernel, worker: await startWorker(kernel) }
  } catch (error) {
    await kernel.close().catch(() => undefined)
    throw error
  }
}

let current: Awaited<ReturnType<typeof open>> | undefined
whenAskedToStop(async () => {
  const { kernel, worker } = current ?? {}
  for (const close of [() => worker?.stop(), () => kernel?.close()])
    await close()?.catch((err: unknown) => log.error({ err }, 'parada incompleta'))
})

/**
 * Ends what ran on a connection that was lost. Another worker may have its jobs by now, so nothing more is written,
 * and the process ends when one of them does not.
 */
async function abandon({
  kernel,
  worker,
}: {
  kernel: Awaited<ReturnType<typeof openKernel>>
  worker: Worker
}) {
  const late = setTimeout(() => {
    log.fatal('trabalhos da conexão perdida não terminaram: encerro')
    process.exit(1)
  }, ABANDON_MS)
  await worker.abandon()
  await kernel.close().catch((err: unknown) => log.warn({ err }, 'parada incompleta'))
  clearTimeout(late)
}

await startOrExplain(() => waitForDatabase(false))
current = await startOrExplain(open)
for (;;) {
  log.info({ concurrency: config.WORKER_CONCURRENCY }, 'pronto')
  const lost = await current.worker.failed.catch((err: unknown) => err)
  log.error({ err: lost }, 'conexão com o banco perdida: os trabalhos vão a outro, e começo de novo')
  const { kernel, worker } = current
  current = undefined
  await abandon({ kernel, worker })
  while (!current) {
    await waitForDatabase(true)
    current = await open().catch(async (err: unknown) => {
      log.warn({ err }, 'não consegui começar de novo')
      await wait(PAUSE_MS)
      return undefined
    })
  }
}
