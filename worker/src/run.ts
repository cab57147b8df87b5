import { EventEmitter } from 'node:events'
import { noteDueOfBrand, noteDueOfOrder, noteGivenUpMails } from '@garantia/server/features/claims/claim'
import { deadlineLines, runningLimits } from '@garantia/server/features/claims/deadlines'
import {
  bookRemittance,
  failStrandedRemittances,
  forgetOldRemittances,
} from '@garantia/server/features/claims/remittances'
import { failStrandedArchives } from '@garantia/server/features/evidence/archives'
import { failStranded, isQueuePaused } from '@garantia/server/features/evidence/conversion'
import { failStrandedImports, forgetOldImports, importOrders } from '@garantia/server/features/orders/import'
import { forgetOldOpenings, tellDeadlines } from '@garantia/server/features/orders/order'
import { forgetOldVehiclePhotos } from '@garantia/server/features/orders/vehicle-photo'
import { sweepLoginUndos } from '@garantia/server/features/people/account'
import { forgetOldSecurityEntries } from '@garantia/server/features/people/audit'
import { sweepDirectorySignIns } from '@garantia/server/features/people/directory'
import { forgetOldMails } from '@garantia/server/features/people/mail'
import { forgetOldNotifications, sendDigests } from '@garantia/server/features/people/notifications'
import { sweepPasskeyChallenges } from '@garantia/server/features/people/passkeys'
import { newestAnchor } from '@garantia/server/features/records/chain'
import { failStrandedDossiers } from '@garantia/server/features/records/dossier'
import { failStrandedRequests } from '@garantia/server/features/records/privacy'
import { forgetOldDeliveries } from '@garantia/server/features/system/webhooks'
import { type Kernel, productVersion, releaseIdleMemory, sweepAttempts } from '@garantia/server/kernel'
import { JOBS, type JobName } from '@garantia/shared/jobs'
import { Logger, type Runner, run as runGraphile, type WorkerEvents } from 'graphile-worker'
import { decoderHost } from './decoder/host.ts'
import { binaryPathsOf, describeFfmpeg } from './media/binaries.ts'
import { toolVersions } from './media/tool-versions.ts'
import { announcePresence, limitRetryDelay, requeueInterruptedJobs } from './presence.ts'
import { releaseOnce } from './release-once.ts'
import { type Job, type Jobs, MEDIA_JOBS, taskList } from './task.ts'
import { anonymiseCustomer } from './tasks/anonymise-customer.ts'
import { convertNewUploads } from './tasks/convert-uploads.ts'
import { createCpuLimiter } from './tasks/cpu-limiter.ts'
import type { mediaJobs } from './tasks/media-jobs.ts'
import { recheckBrand } from './tasks/recheck-orders.ts'
import {
  anchorTrailDaily,
  applyRetentionDaily,
  emptyBinDaily,
  recordPresentOnce,
  sweepUploadsHourly,
  verifyIntegrityWeekly,
} from './tasks/storage-maintenance.ts'

/** Time a running job gets to finish after a stop was requested; then it is aborted and requeued. */
const GRACE_MS = 3_000

/** Without a job for this long a worker gives memory back: its heap has grown with the conversions. */
const IDLE_MS = 60_000

/** Twice the number of those that compute: the others wait for database and disk, so that no CPU is idle. */
export const mediaJobsAtOnce = ({ WORKER_CONCURRENCY }: Kernel['ctx']['config']) => WORKER_CONCURRENCY * 2
/** Packages, mails, imports: what waits for a processor, or for a long video, holds none of them up. */
const OTHER_JOBS_AT_ONCE = 4
export const jobsAtOnce = (config: Kernel['ctx']['config']) => mediaJobsAtOnce(config) + OTHER_JOBS_AT_ONCE

/**
 * Hours are UTC, three ahead of Brasília: 5 h is 2 h at night there. What runs each hour has a key: one whose worker was
 * killed too often begins anew in the next hour, instead of being reported as given up for ever.
 */
const CRONTAB = `
17 * * * * sweep-sessions ?max=3&jobKey=sweep-sessions
0 10 * * * mail-digests ?max=3
47 * * * * sweep-uploads ?max=3&jobKey=sweep-uploads
23 5 * * * empty-bin ?max=3
43 5 * * * apply-retention ?max=3
53 5 * * * anchor-trail ?max=3
27 * * * * request-timestamps ?max=3&jobKey=request-timestamps
33 * * * * back-up ?max=3&jobKey=back-up
33 7 1 * * try-backup ?max=3
13 6 * * 0 verify-integrity ?max=3`

const OTHER_JOBS = (Object.keys(JOBS) as JobName[]).filter(
  (name) => !(MEDIA_JOBS as readonly JobName[]).includes(name),
)

/** Its libraries are loaded with the first job of its kind: they are half of what a start would load. */
const loadedLater =
  <N extends JobName>(load: () => Promise<Job<N>>): Job<N> =>
  async (...job) =>
    (await load())(...job)

export interface Worker {
  /** Resolves when every job is finished or requeued and this worker has no lock left. */
  stop(): Promise<void>
  /** Stops after `failed`: resolves when no job runs any more; what was locked is left to others. */
  abandon(): Promise<void>
  /** Rejects when the worker cannot continue, as its connection is lost. */
  failed: Promise<never>
}

/** Starts processing the job queue; rejects when the database cannot be reached. */
export async function startWorker({ ctx, pool }: Kernel): Promise<Worker> {
  const { config, log } = ctx
  const cpuLimiter = createCpuLimiter(config.WORKER_CONCURRENCY)
  const decoder = decoderHost(ctx)
  let loaded: Promise<ReturnType<typeof mediaJobs>> | undefined
  const media = () =>
    (loaded ??= import('./tasks/media-jobs.ts').then(({ mediaJobs }) => mediaJobs(cpuLimiter, decoder)))
  const jobs: Jobs = {
    'convert-evidence': loadedLater(async () => (await media())['convert-evidence']),
    'preview-evidence': loadedLater(async () => (await media())['preview-evidence']),
    'read-evidence': loadedLater(async () => (await media())['read-evidence']),
    'read-vehicle-photo': loadedLater(async () => (await media())['read-vehicle-photo']),
    'convert-uploads': convertNewUploads,
    'recheck-orders': recheckBrand,
    'send-mail': loadedLater(async () => (await import('./tasks/send-mail.ts')).sendMail),
    'build-dossier': loadedLater(async () => (await media())['build-dossier']),
    'build-packages': loadedLater(async () => (await import('./tasks/build-packages.ts')).buildPackages),
    'anonymise-customer': anonymiseCustomer,
    'export-subject': loadedLater(async () => (await import('./tasks/export-subject.ts')).exportSubject),
    'note-due-of-brand': (ctx, { brand_id }) => noteDueOfBrand(ctx, brand_id),
    'note-due-of-order': (ctx, { order_id }) => noteDueOfOrder(ctx, order_id),
    'mail-digests': async (ctx) => {
      await tellDeadlines(ctx, await runningLimits(ctx, 'all'))
      const mails = await sendDigests(ctx, { deadlinesOf: deadlineLines, anchor: await newestAnchor(ctx) })
      if (mails > 0) ctx.log.info({ mails }, 'resumos do dia enviados')
    },
    'read-order-import': loadedLater(async () => (await media())['read-order-import']),
    'import-orders': (ctx, { import_id }, { signal }) => importOrders(ctx, import_id, signal),
    'read-remittance': loadedLater(async () => (await media())['read-remittance']),
    'book-remittance': (ctx, { remittance_id }) => bookRemittance(ctx, remittance_id),
    'empty-bin': emptyBinDaily,
    'sweep-uploads': sweepUploadsHourly,
    'apply-retention': applyRetentionDaily,
    'verify-integrity': verifyIntegrityWeekly,
    'anchor-trail': anchorTrailDaily,
    'record-present': recordPresentOnce,
    'request-timestamps': loadedLater(
      async () => (await import('./tasks/request-timestamps.ts')).requestTimestamps,
    ),
    'send-webhooks': loadedLater(async () => (await import('./tasks/send-webhooks.ts')).sendWebhooks),
    'back-up': loadedLater(async () => (await import('./tasks/backups.ts')).backUpNightly),
    'try-backup': loadedLater(async () => (await import('./tasks/backups.ts')).tryBackupMonthly),
    'sweep-sessions': async (ctx) => {
      await ctx.sessions.sweep()
      await sweepAttempts(ctx)
      await forgetOldMails(ctx)
      await sweepDirectorySignIns(ctx)
      await sweepPasskeyChallenges(ctx)
      await sweepLoginUndos(ctx)
      await forgetOldSecurityEntries(ctx)
      await forgetOldNotifications(ctx)
      await tellDeadlines(ctx, await runningLimits(ctx, 'all'))
      await forgetOldImports(ctx)
      await forgetOldRemittances(ctx)
      await forgetOldOpenings(ctx)
      await forgetOldVehiclePhotos(ctx)
      await forgetOldDeliveries(ctx)
    },
  }
  const failure = Promise.withResolvers<never>()
  let hasLostJobs = false
  failure.promise.catch(() => {
    hasLostJobs = true
  })
  let sweeps = 0
  let areFactsNoted = false
  let isHolding = false
  let hasStarted = false
  const presence = await announcePresence(ctx, {
    onLost: failure.reject,
    sweep: async () => {
      await failStranded(ctx)
      await failStrandedDossiers(ctx)
      await failStrandedArchives(ctx)
      await failStrandedImports(ctx)
      await failStrandedRemittances(ctx)
      await failStrandedRequests(ctx)
      await noteGivenUpMails(ctx)
      await limitRetryDelay(ctx)
      await holdOrGoOn(await isQueuePaused(ctx))
      // Not in the first, at the start: a worker takes jobs before it asks programs for their versions.
      if (sweeps++ === 0 || areFactsNoted) return
      const binaries = binaryPathsOf(config)
      const tools = await toolVersions(binaries, productVersion())
      areFactsNoted = await presence.noteFacts(tools, await decoder.isolation())
      if (areFactsNoted) log[tools.ffmpeg === null ? 'warn' : 'info'](await describeFfmpeg(binaries))
    },
  })

  const events: WorkerEvents = new EventEmitter()
  const running = new Set<string>()
  let isStopping = false
  // Jobs are locked under the id of the pool. One locked by a worker that is killed before its id is recorded
  // would stay locked for hours, so no job is taken until then.
  let registration = Promise.resolve()
  events.on('pool:create', ({ workerPool }) => {
    registration = registration.then(() => presence.register(workerPool.id))
    registration.catch(failure.reject)
  })
  const registerFirst: GraphileConfig.Plugin = {
    name: 'register-first',
    version: '1.0.0',
    worker: { hooks: { startWorker: async () => registration } },
  }
  const idle = setTimeout(releaseIdleMemory, IDLE_MS).unref()
  events.on('job:start', ({ job }) => running.add(String(job.id)))
  events.on('job:complete', ({ job, error }) => {
    idle.refresh()
    if (!error || !(isStopping || isHolding)) running.delete(String(job.id))
  })

  const startRunner = async (names: readonly JobName[], concurrency: number, crontab: string) => {
    const runner = await runGraphile({
      pgPool: releaseOnce(pool),
      concurrency,
      noHandleSignals: true,
      taskList: taskList(ctx, jobs, names, () => hasLostJobs),
      crontab,
      events,
      logger: quietLogger(log),
      preset: {
        plugins: [registerFirst],
        worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, gracefulShutdownAbortTimeout: GRACE_MS },
      },
    })
    runner.promise.catch(failure.reject)
    return runner
  }
  /** One after the other: each looks first whether the queue's schema is up to date. */
  const startRunners = async () => [
    await startRunner(OTHER_JOBS, OTHER_JOBS_AT_ONCE, CRONTAB),
    await startRunner(MEDIA_JOBS, mediaJobsAtOnce(config), ''),
  ]
  const stopAll = (runners: readonly Runner[] = []) => Promise.all(runners.map((runner) => runner.stop()))
  let runners: Runner[] | undefined
  let isChanging = false
  /** Stops taking jobs while an operator pauses the queue. */
  async function holdOrGoOn(isPaused: boolean) {
    if (isStopping || isChanging || !hasStarted || isPaused === (runners === undefined)) return
    isChanging = true
    try {
      if (!runners) {
        runners = await startRunners()
        log.info('fila retomada')
        return
      }
      const held = runners
      runners = undefined
      isHolding = true
      await stopAll(held)
      await requeueInterruptedJobs(ctx, [...running])
      running.clear()
      log.info('fila pausada')
    } finally {
      isHolding = false
      isChanging = false
    }
  }
  runners = (await isQueuePaused(ctx)) ? undefined : await startRunners()
  hasStarted = true
  return {
    failed: failure.promise,
    async abandon() {
      isStopping = true
      clearTimeout(idle)
      await presence.abandon()
      // Its queries fail: the jobs end, and stay locked.
      await Promise.allSettled([stopAll(runners), (await loaded)?.close()])
      await Promise.allSettled((runners ?? []).map(({ promise }) => promise))
    },
    async stop() {
      isStopping = true
      clearTimeout(idle)
      await stopAll(runners)
      await (await loaded)?.close()
      await requeueInterruptedJobs(ctx, [...running])
      await presence.stop()
    },
  }
}

/** Maps graphile-worker's log to ours; what it repeats for every job is logged at debug level. */
const quietLogger = (log: Kernel['ctx']['log']) =>
  new Logger(({ jobId, taskIdentifier }) => (level, message) => {
    const about = { job_id: jobId, job: taskIdentifier }
    if (level === 'error') log.error(about, message)
    else if (level === 'warning') log.warn(about, message)
    else log.debug(about, message)
  })
