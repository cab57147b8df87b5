import { setTimeout as wait } from 'node:timers/promises'
import type { Metrics } from './api/metrics.ts'
import { buildApp } from './app.ts'
import { sweepUploads } from './features/evidence/uploads/service.ts'
import { reencryptSecrets } from './features/people/second-factor/service.ts'
import { createFirstSuperuser } from './features/people/users/service.ts'
import { requestRecording } from './features/records/chain/service.ts'
import { tellAlarms } from './features/system/alarms/service.ts'
import { reencryptWebhooks } from './features/system/webhooks/service.ts'
import { readConfig } from './kernel/config.ts'
import { enqueue } from './kernel/context.ts'
import { releaseIdleMemory } from './kernel/idle-memory.ts'
import { openLog } from './kernel/log.ts'
import { openKernel } from './kernel/open.ts'
import { mayChangeEvents, prepareDatabase } from './kernel/prepare-database.ts'
import { startOrExplain } from './kernel/start-problem.ts'
import { whenAskedToStop } from './kernel/stopping.ts'

const CONNECTIONS = 12
/** After a start: the first pages have been fetched by then. */
const SETTLED_MS = 10_000
const ALARMS_EVERY_MS = 60_000

const config = await startOrExplain(async () => readConfig())
const log = openLog(config.LOG_LEVEL, 'servidor')
const closing: (() => Promise<unknown>)[] = []
whenAskedToStop(async () => {
  for (const close of closing.reverse()) await close()
})

const { kernel, first_superuser, address, may_change_events } = await startOrExplain(async () => {
  await prepareDatabase(config, log, async () => {
    const { backUpBeforeMigrating } = await import('./features/system/backup/service.ts')
    await backUpBeforeMigrating(config, log)
  })
  const kernel = await openKernel(config, log, { role: 'servidor', connections: CONNECTIONS })
  closing.push(() => kernel.close())
  const first_superuser = await createFirstSuperuser(kernel.ctx)
  const may_change_events = await mayChangeEvents(kernel.pool)
  const { METRICS_PORT, METRICS_HOST, DRAIN_SECONDS } = config
  let metrics: Metrics | undefined
  if (METRICS_PORT !== undefined) {
    metrics = (await import('./api/metrics.ts')).openMetrics(kernel.ctx, kernel.pool)
    closing.push((await metrics.listen({ host: METRICS_HOST, port: METRICS_PORT })).close)
  }
  const app = await buildApp(kernel.ctx, metrics?.onAnswer)
  closing.push(() => app.close())
  // By then whoever distributes requests has asked whether this server is ready.
  closing.push(() => wait(DRAIN_SECONDS * 1_000))
  const address = await app.listen({ host: config.HOST, port: config.PORT })
  return { kernel, first_superuser, address, may_change_events }
})
const url = config.APP_URL ?? address
process.send?.({ type: 'ready', url, first_superuser })
log.info({ url }, 'pronto')
setTimeout(releaseIdleMemory, SETTLED_MS).unref()
if (!['127.0.0.1', '::1', 'localhost'].includes(config.HOST) && !config.app_url.startsWith('https:'))
  log.warn(
    { host: config.HOST },
    'senhas atravessam a rede sem criptografia: ponha um proxy com TLS à frente',
  )
if (may_change_events)
  log.warn(
    'a conta do banco em uso pode alterar eventos e acessos: alterações são detectadas, não impedidas (MIGRATION_DATABASE_URL)',
  )
const alarms = setInterval(
  () => void tellAlarms(kernel.ctx).catch((err: unknown) => log.warn({ err }, 'problemas não avisados')),
  ALARMS_EVERY_MS,
).unref()
closing.push(async () => clearInterval(alarms))
Promise.all([reencryptSecrets(kernel.ctx), reencryptWebhooks(kernel.ctx)]).catch((err: unknown) =>
  log.warn({ err }, 'segredos com a chave anterior ficaram'),
)
requestRecording(kernel.ctx).catch((err: unknown) =>
  log.warn({ err }, 'direitos e valores de antes não foram registrados na trilha'),
)
// Also the first entry after an update: what stands in the trail until now is kept as it is.
enqueue(kernel.ctx, 'anchor-trail', {}, { key: 'anchor-trail' }).catch((err: unknown) =>
  log.warn({ err }, 'trilha não foi registrada no diário'),
)
sweepUploads(kernel.ctx).catch((err: unknown) => log.warn({ err }, 'envios abandonados ficaram'))
if (!process.send && first_superuser?.password) {
  const { email, password } = first_superuser
  // What is no terminal keeps what is written there: the log of a container, the journal.
  const how = process.stdout.isTTY
    ? `senha ${password}`
    : `a senha gerada não vai para o registro; outra: npm run worker -- usuarios redefinir-senha ${email}`
  process.stdout.write(`Primeiro acesso: ${email}, ${how}\n`)
}
