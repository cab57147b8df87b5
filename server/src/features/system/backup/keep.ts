/** Of how many days, weeks and months the newest backup is kept. */
export interface KeepRule {
  days: number
  weeks: number
  months: number
}

const DAY_MS = 86_400_000
/** A backup's id begins with its moment in UTC, without colons. */
const MOMENT = /^(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2}Z)-/

/** The moment of a backup; null for an id that says none. */
export function momentOf(id: string) {
  const [, hour, minute, second] = MOMENT.exec(id) ?? []
  const at = new Date(`${hour}:${minute}:${second}`)
  return Number.isNaN(at.getTime()) ? null : at
}

/**
 * Which of these backups are kept: the newest of all, and the newest of each of the last days, weeks (from Monday) and
 * months, in UTC, that have one. One whose id says no moment is kept.
 */
export function keptBackups(ids: readonly string[], rule: KeepRule): Set<string> {
  const known = ids.flatMap((id) => {
    const at = momentOf(id)
    return at ? [{ id, at }] : []
  })
  known.sort((a, b) => b.at.getTime() - a.at.getTime())
  const kept = new Set(ids.filter((id) => momentOf(id) === null))
  const [newest] = known
  if (newest) kept.add(newest.id)
  for (const [most, periodOf] of [
    [rule.days, dayOf],
    [rule.weeks, weekOf],
    [rule.months, monthOf],
  ] as const) {
    const seen = new Set<string>()
    for (const { id, at } of known) {
      const period = periodOf(at)
      if (seen.has(period)) continue
      if (seen.size >= most) break
      seen.add(period)
      kept.add(id)
    }
  }
  return kept
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const monthOf = (at: Date) => at.toISOString().slice(0, 7)
const weekOf = (at: Date) => dayOf(new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS))
