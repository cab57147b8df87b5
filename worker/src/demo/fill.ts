import { finishDemo } from '@garantia/server/features/system/demo'
import type { Ctx } from '@garantia/server/kernel'
import { findBinaries } from '../media/binaries.ts'
import { mediaTools } from '../media/media.ts'
import { startDrawingProcess } from './drawing-process.ts'
import { type DemoContext, simulateOrder } from './order-simulation.ts'
import type { PlannedOrder } from './plan.ts'
import { loadDemoEntities } from './setup.ts'

export { ORDERS_PLANNED, type PlannedOrder, planOrders } from './plan.ts'
export { prepare } from './setup.ts'

/** Orders that come to be side by side: one draws while another converts. */
const AT_ONCE = 2

/** Brings in the orders that are not there yet. Safe to be cut short and to be started again. */
export async function fill(ctx: Ctx, planned: readonly PlannedOrder[], signal: AbortSignal) {
  const { FFMPEG_PATH, FFPROBE_PATH } = ctx.config
  const paths = {
    ...(FFMPEG_PATH && { ffmpeg_path: FFMPEG_PATH }),
    ...(FFPROBE_PATH && { ffprobe_path: FFPROBE_PATH }),
  }
  const drawingProcess = startDrawingProcess()
  try {
    const stage: DemoContext = {
      ctx,
      entities: await loadDemoEntities(ctx),
      drawingProcess,
      media: mediaTools({ ...paths, threads: 1 }),
      ffmpeg_path: (await findBinaries(paths)).ffmpeg,
      signal,
    }
    const there = await ctx.db.selectFrom('service_orders').select('os_number').execute()
    const numbers = new Set(there.map(({ os_number }) => os_number))
    const pending = planned
      .map((order, place) => ({ order, place }))
      .filter(({ order }) => !numbers.has(order.os_number))
      .values()
    let demoExists = true
    const live = async () => {
      for (const { order, place } of pending) {
        signal.throwIfAborted()
        demoExists &&= await simulateOrder(stage, order, place)
        if (!demoExists) return
      }
    }
    // Both are waited for before anything is closed, also when one of them fails.
    const lives = await Promise.allSettled(Array.from({ length: AT_ONCE }, live))
    for (const life of lives) if (life.status === 'rejected') throw life.reason
    if (demoExists) await finishDemo(ctx)
  } finally {
    drawingProcess.close()
  }
}
