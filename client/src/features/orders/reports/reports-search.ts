import { isoDay } from '@garantia/shared/format'
import { monthsAfter, type ReportPeriod, reportPeriod } from '@garantia/shared/orders/report'

/** The present month in São Paulo, yyyy-mm. */
const monthOf = (now: Date) => isoDay(now).slice(0, 7)

/** The months of the address; what is no report falls back to the present month. */
export function periodOf(search: { from?: string | undefined; until?: string | undefined }): ReportPeriod {
  const now = monthOf(new Date())
  return reportPeriod.safeParse(search).data ?? { from: now, until: now }
}

const LISTED_MONTHS = 60
/** Months to choose from, newest first: the last five years and whatever is chosen. */
export function monthChoices(chosen: readonly string[], now: Date) {
  const last = Array.from({ length: LISTED_MONTHS }, (_, index) => monthsAfter(monthOf(now), -index))
  return [...new Set([...last, ...chosen])].sort().reverse()
}

/** The period after a change of one end; the other follows where it would not be a report. */
export function periodAfter(
  change: { from: string } | { until: string },
  period: { from: string; until: string },
) {
  const next = { ...period, ...change }
  if (reportPeriod.safeParse(next).success) return next
  if (next.from > next.until)
    return 'from' in change ? { ...next, until: next.from } : { ...next, from: next.until }
  return 'from' in change
    ? { ...next, until: monthsAfter(next.from, 11) }
    : { ...next, from: monthsAfter(next.until, -11) }
}

export const PRESETS = [
  { label: 'Este mês', of: (now: Date) => ({ from: monthOf(now), until: monthOf(now) }) },
  {
    label: 'Mês passado',
    of: (now: Date) => ({ from: monthsAfter(monthOf(now), -1), until: monthsAfter(monthOf(now), -1) }),
  },
  { label: '3 meses', of: (now: Date) => ({ from: monthsAfter(monthOf(now), -2), until: monthOf(now) }) },
  { label: '12 meses', of: (now: Date) => ({ from: monthsAfter(monthOf(now), -11), until: monthOf(now) }) },
] as const
