import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestAllConversions } from '@garantia/server/features/evidence/conversion'
import { startWorker } from '@garantia/worker'
import { findBinaries } from '@garantia/worker/media/binaries'
import { openListLoad, recordBusy } from './list-load.ts'
import { isQuick, options } from './options.ts'
import { copyOrders, KEPT_CLUSTER } from './orders-database.ts'
import { video } from './sample-media.ts'
import { bench, note, SERVER } from './support.ts'

/** The list while the worker converts videos, two at a time (goal P10). */
const ORDERS = options.sizes?.[0] ?? 100_000
const VIDEOS = 2
const SECONDS = isQuick ? 10 : 60
const ROUNDS = options.rounds ?? (isQuick ? 1 : 6)
const BATCH_MS = isQuick ? 300 : 1_500
/** Until ffmpeg of both has begun. */
const SETTLE_MS = 3_000

await bench(
  'List while a video converts',
  async (benchContext) => {
    const db = await copyOrders(benchContext, ORDERS)
    const { ffmpeg } = await findBinaries({})
    const path = join(benchContext.dir, 'film.mp4')
    await video(ffmpeg, path, SECONDS)
    const content = await readFile(path)
    const brand = await db.make.brand({ max_file_size_mb: 10, max_evidence_count: 20 })
    const order = await db.make.order({ brand_id: brand.id, status: 'in_progress' })
    for (let n = 0; n < VIDEOS; n++)
      await db.make.evidence(
        { order_id: order.id, file_type: 'video', format: 'mp4', evidence_category: 'defeito' },
        Buffer.concat([content, Buffer.from([n])]),
      )
    note('videos made')
    const server = await db.start(SERVER)
    const list = await openListLoad(server.url, db.tokens.admin, BATCH_MS)
    const idle = [await list.batch()]
    const busy: typeof idle = []
    const worker = await startWorker(db.kernel)
    await requestAllConversions(db.kernel.ctx, order.id, true)
    await sleep(SETTLE_MS)
    const areConverting = async () => {
      const files = await db.kernel.ctx.db
        .selectFrom('evidence_files')
        .where('order_id', '=', order.id)
        .select(['status', 'error'])
        .execute()
      const failed = files.find(({ error }) => error !== null)
      if (failed) throw new Error(failed.error ?? '')
      return files.every(({ status }) => status === 'converting')
    }
    for (let round = 0; round < ROUNDS; round++) {
      const one = await list.batch()
      // A batch counts only when both were converting until its end.
      if (!(await areConverting())) break
      busy.push(one)
    }
    await worker.stop()
    for (let round = 1; round < ROUNDS; round++) idle.push(await list.batch())
    await list.close()
    await server.stop()
    await db.close()
    await db.drop()
    recordBusy('list while a video converts', busy, idle)
  },
  { cluster: KEPT_CLUSTER },
)
