import { finishDemo } from '@garantia/server/features/system/demo'
import type { Ctx } from '@garantia/server/kernel'
import { findBinaries } from '../media/binaries.ts'
import { mediaTools } from '../media/media.ts'
import { castOf } from './cast.ts'
import { liveOrder, type Stage } from './life.ts'
import type { PlannedOrder } from './plan.ts'
import { openStudio } from './studio.ts'

export { prepare } from './cast.ts'
export { ORDERS_PLANNED, type PlannedOrder, planOrders } from './plan.ts'

/** Orders that come to be side by side: one draws while another converts. */
const AT_ONCE = 2

/** Brings in the orders that are not there yet. Safe to be cut short and to be started again. */
export async function fill(ctx: Ctx, planned: readonly PlannedOrder[], signal: AbortSignal) {
  const { FFMPEG_PATH, FFPROBE_PATH } = ctx.config
  const paths = {
    ...(FFMPEG_PATH && { ffmpeg_path: FFMPEG_PATH }),
    ...(FFPROBE_PATH && { ffprobe_path: FFPROBE_PATH }),
  }
  const studio = openStudio()
  try {
    const stage: Stage = {
      ctx,
      cast: await castOf(ctx),
      studio,
      media: mediaTools({ ...paths, threads: 1 }),
      ffmpeg_path: (await findBinaries(paths)).ffmpeg,
      signal,
    }
    const there = await ctx.db.selectFrom('service_orders').select('os_number').execute()
    const numbers = new Set(there.map(({ os_number }) => os_number))
    const waiting = planned
      .map((order, place) => ({ order, place }))
      .filter(({ order }) => !numbers.has(order.os_number))
      .values()
    let isThere = true
    const live = async () => {
      for (const { order, place } of waiting) {
        signal.throwIfAborted()
        isThere &&= await liveOrder(stage, order, place)
        if (!isThere) return
      }
    }
    // Both are waited for before anything is closed, also when one of them fails.
    const lives = await Promise.allSettled(Array.from({ length: AT_ONCE }, live))
    for (const life of lives) if (life.status === 'rejected') throw life.reason
    if (isThere) await finishDemo(ctx)
  } finally {
    studio.close()
  }
}
