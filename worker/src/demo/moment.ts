import { type Ctx, inTransaction } from '@garantia/server/kernel'

/** A clock that is moved by hand, and never beyond the real one. */
export interface Moment {
  now(): Date
  pass(minutes: number): void
}
export function startingAt(start: Date): Moment {
  let time = start.getTime()
  return {
    now: () => new Date(time),
    pass(minutes) {
      time = Math.max(time, Math.min(time + minutes * 60_000, Date.now()))
    },
  }
}

/**
 * Does the work at another time, wholly or not at all: what was stored for rows that never came to be is
 * removed again.
 */
export async function atThatTime<T>(ctx: Ctx, moment: Moment, work: (ctx: Ctx) => Promise<T>) {
  const stored: string[] = []
  const storage: Ctx['storage'] = {
    ...ctx.storage,
    adopt(key, path) {
      stored.push(key)
      return ctx.storage.adopt(key, path)
    },
  }
  try {
    return await inTransaction({ ...ctx, clock: moment.now, storage }, work)
  } catch (error) {
    for (const key of stored) await ctx.storage.remove(key)
    throw error
  }
}
