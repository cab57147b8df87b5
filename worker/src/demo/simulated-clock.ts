import { type Ctx, inTransaction } from '@garantia/server/kernel'

/** A clock that is moved by hand, and never beyond the real one. */
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
 * Does the work at another time, wholly or not at all: what was stored for rows that never came to be is
 * removed again.
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
