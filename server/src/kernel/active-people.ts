import type { Db } from './strict-writes.ts'

/** Whether people may still use what was signed for them. */
export interface ActivePeople {
  /**
   * How often the access of an active person was ended; null for anybody else. Twenty seconds old at most, and asked
   * anew when it is less than `least`, which the product has signed. 0 is the product itself.
   */
  epochOf(id: number, least?: number): Promise<number | null>
}

const KEPT_MS = 20_000
const MOST_KEPT = 10_000

/** Asks the database once in twenty seconds for each person: a page of pictures is one question. */
export function openActivePeople(db: Db): ActivePeople {
  const known = new Map<number, { until: number; epoch: Promise<number | null> }>()
  const ask = async (id: number) => {
    const row = await db
      .selectFrom('users')
      .where('id', '=', id)
      .where('is_active', '=', true)
      .select('access_epoch')
      .executeTakeFirst()
    return row?.access_epoch ?? null
  }
  return {
    async epochOf(id, least = 0) {
      if (id === 0) return 0
      const now = Date.now()
      const kept = known.get(id)
      if (kept && kept.until > now && ((await kept.epoch) ?? least) >= least) return kept.epoch
      if (known.size >= MOST_KEPT) known.clear()
      const epoch = ask(id)
      known.set(id, { until: now + KEPT_MS, epoch })
      epoch.catch(() => known.delete(id))
      return epoch
    },
  }
}
