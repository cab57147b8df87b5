import type { Db } from './strict-writes.ts'

/** Whether people may still use what was signed for them. */
export interface ActivePeople {
  /** False from twenty seconds after a deactivation at the latest; 0 is the product itself. */
  isActive(id: number): Promise<boolean>
}

const KEPT_MS = 20_000
const MOST_KEPT = 10_000

/** Asks the database once in twenty seconds for each person: a page of pictures is one question. */
export function openActivePeople(db: Db): ActivePeople {
  const known = new Map<number, { until: number; isActive: Promise<boolean> }>()
  const ask = async (id: number) => {
    const row = await db.selectFrom('users').where('id', '=', id).select('is_active').executeTakeFirst()
    return row?.is_active ?? false
  }
  return {
    async isActive(id) {
      if (id === 0) return true
      const now = Date.now()
      const kept = known.get(id)
      if (kept && kept.until > now) return kept.isActive
      if (known.size >= MOST_KEPT) known.clear()
      const isActive = ask(id)
      known.set(id, { until: now + KEPT_MS, isActive })
      isActive.catch(() => known.delete(id))
      return isActive
    },
  }
}
