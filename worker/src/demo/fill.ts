import { finishDemo } from '@garantia/server/features/system/demo'
import type { Ctx } from '@garantia/server/kernel'
import { inProcess } from '../decoder/decoders.ts'
import { findBinaries } from '../media/binaries.ts'
import { mediaTools } from '../media/media.ts'
import { startDrawingProcess } from './drawing-process.ts'
import { type DemoContext, simulateOrder } from './order-simulation.ts'
import type { PlannedOrder } from './plan.ts'
import { loadDemoEntities } from './setup.ts'
import { linkVisitsOf } from './visits.ts'

export { simulateClaims } from './claim-simulation.ts'
export { STORIES } from './claim-stories.ts'
export { COMPLAINTS } from './complaints.ts'
export { ORDERS_PLANNED, type PlannedOrder, planOrders } from './plan.ts'
export { prepare } from './setup.ts'
export { createSimulatedClock } from './simulated-clock.ts'
export { linkVisitsOf } from './visits.ts'

/** Orders simulated at once: one draws while another converts. */
const AT_ONCE = 2

/** Adds the orders that do not exist yet. May be interrupted and started again. */
export async function fill(ctx: Ctx, planned: readonly PlannedOrder[], signal: AbortSignal) {
  const { FFMPEG_PATH, FFPROBE_PATH } = ctx.config
  const paths = {
    ...(FFMPEG_PATH && { ffmpeg_path: FFMPEG_PATH }),
    ...(FFPROBE_PATH && { ffprobe_path: FFPROBE_PATH }),
  }
  const drawingProcess = startDrawingProcess()
  try {
    const demo: DemoContext = {
      ctx,
      entities: await loadDemoEntities(ctx),
      drawingProcess,
      decoders: inProcess(mediaTools({ ...paths, threads: 1 })),
      ffmpeg_path: (await findBinaries(paths)).ffmpeg,
      signal,
    }
    const existing = await ctx.db.selectFrom('service_orders').select('os_number').execute()
    const numbers = new Set(existing.map(({ os_number }) => os_number))
    const pending = planned
      .map((order, place) => ({ order, place }))
      .filter(({ order }) => !numbers.has(order.os_number))
      .values()
    let demoExists = true
    const simulatePending = async () => {
      for (const { order, place } of pending) {
        signal.throwIfAborted()
        demoExists &&= await simulateOrder(demo, order, place)
        if (!demoExists) return
      }
    }
    // Waits for both before anything is closed, also when one of them fails.
    const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, simulatePending))
    for (const result of results) if (result.status === 'rejected') throw result.reason
    if (demoExists) {
      await linkVisitsOf(ctx, planned, demo.entities)
      await finishDemo(ctx)
    }
  } finally {
    drawingProcess.close()
  }
}
