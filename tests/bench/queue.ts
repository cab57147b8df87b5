import { setTimeout as sleep } from 'node:timers/promises'
import { migrateToLatest } from '@garantia/migrations'
import type { Kernel } from '@garantia/server/kernel'
import { startWorker } from '@garantia/worker'
import { Logger, run } from 'graphile-worker'
import { isQuick } from './options.ts'
import { record } from './record.ts'
import { bench, median, quantile, rounds, timed } from './support.ts'

/** Jobs that find nothing to do (goal P9). */
const LATENCY_JOBS = isQuick ? 50 : 500
const JOBS = isQuick ? 200 : 3_000
const ROUNDS = isQuick ? 1 : 5
/** A job for a file that does not exist: one query, and nothing to do. */
const JOB = 'preview-evidence'
const PAYLOAD = JSON.stringify({ evidence_id: 999_999_999 })
const PAUSE_MS = 8

/** A worker with a callback on the first action of each job. */
function listening({ ctx, pool, close }: Kernel, onStart: (job_id: string) => void): Kernel {
  const log = Object.assign(Object.create(ctx.log) as typeof ctx.log, {
    child(bindings: { job_id?: string }) {
      if (bindings.job_id !== undefined) onStart(String(bindings.job_id))
      return ctx.log.child(bindings)
    },
  })
  return { ctx: { ...ctx, log }, pool, close }
}

/** Milliseconds from adding a job to its start, one at a time, in an idle worker. */
async function latency(kernel: Kernel, jobs: number) {
  const started = new Map<string, number>()
  const worker = await startWorker(listening(kernel, (id) => started.set(id, performance.now())))
  const waits: number[] = []
  for (let i = 0; i < jobs; i++) {
    const asked = performance.now()
    const { rows } = await kernel.pool.query<{ id: number }>(
      'select id from graphile_worker.add_job($1, $2::json)',
      [...[JOB, PAYLOAD]],
    )
    const id = String(rows[0]?.id)
    while (!started.has(id)) await sleep(1)
    waits.push((started.get(id) ?? 0) - asked)
    await sleep(PAUSE_MS)
  }
  await worker.stop()
  return waits
}

/** Jobs per second of this worker and of the queue's own, counted once all are queued. */
async function throughput(kernel: Kernel, jobs: number, count: number) {
  const add = () =>
    kernel.pool.query(
      'select count(graphile_worker.add_job($1, $2::json)) from generate_series(1, $3::int)',
      [JOB, PAYLOAD, jobs],
    )
  const perSecond = async (start: (onStart: () => void) => Promise<{ stop(): Promise<void> }>) => {
    const all = Promise.withResolvers<void>()
    let started = 0
    const worker = await start(() => {
      if (++started === jobs) all.resolve()
    })
    await add()
    const ms = await timed(() => all.promise)
    await worker.stop()
    return jobs / (ms / 1000)
  }
  const { ctx, pool } = kernel
  return rounds(count, {
    ours: () => perSecond((onStart) => startWorker(listening(kernel, onStart))),
    bare: () =>
      perSecond((onStart) =>
        run({
          pgPool: pool,
          concurrency: ctx.config.WORKER_CONCURRENCY,
          noHandleSignals: true,
          logger: new Logger(() => () => undefined),
          taskList: {
            async [JOB]() {
              onStart()
              await pool.query(
                'select * from evidence_files where id = $1 and deleted_at is null',
                [999_999_999],
              )
            },
          },
        }),
      ),
  })
}

await bench('Queue', async ({ kernel }) => {
  await migrateToLatest(kernel.pool)
  const waits = await latency(kernel, LATENCY_JOBS)
  const speeds = await throughput(kernel, JOBS, ROUNDS)
  const [product, reference] = [median(speeds.ours), median(speeds.bare)]
  record(
    { name: 'queue, p50', unit: 'ms', product: quantile(waits, 0.5) },
    { name: 'queue, p99', unit: 'ms', product: quantile(waits, 0.99) },
    { name: 'queue, jobs', unit: '1/s', product, reference, ratio: product / reference },
  )
})
