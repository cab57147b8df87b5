import { type Ctx, inTransaction } from '@garantia/server/kernel'

/** A clock advanced by hand, never beyond the real time. */
export interface SimulatedClock {
  now(): Date
  advance(minutes: number): void
}
export function createSimulatedClock(start: Date): SimulatedClock {
  let time = start.getTime()
  return {
    now: () => new Date(time),
    advance(minutes) {
      time = Math.max(time, Math.min(time + minutes * 60_000, Date.now()))
    },
  }
}

/**
 * Runs the work in one transaction with the simulated clock. When it fails, objects that were stored for the
 * rolled-back rows are removed again.
 */
export async function runAtSimulatedTime<T>(ctx: Ctx, clock: SimulatedClock, work: (ctx: Ctx) => Promise<T>) {
  const stored: string[] = []
  const storage: Ctx['storage'] = {
    ...ctx.storage,
    moveIn(key, path) {
      stored.push(key)
      return ctx.storage.moveIn(key, path)
    },
  }
  try {
    return await inTransaction({ ...ctx, clock: clock.now, storage }, work)
  } catch (error) {
    for (const key of stored) await ctx.storage.remove(key)
    throw error
  }
}
