import { daysBefore, isoDay } from '@garantia/shared/format'
import { ALL_TIME, type Period } from './dashboard-search.ts'

/** What the chart by day covers, whatever period the cards show (DASH-2, D-26). */
export const CHART_DAYS = 30

/** The last `days` calendar days, including today. */
export function lastDays(days: number, now: Date): Period {
  const today = isoDay(now)
  return { start_date: daysBefore(today, days - 1), end_date: today }
}
function thisMonth(now: Date): Period {
  const today = isoDay(now)
  return { start_date: `${today.slice(0, 8)}01`, end_date: today }
}

export const PRESETS = [
  { id: 'all', label: 'Tudo', of: (): Period => ALL_TIME },
  { id: 'today', label: 'Hoje', of: (now: Date) => lastDays(1, now) },
  { id: 'week', label: '7 dias', of: (now: Date) => lastDays(7, now) },
  { id: 'days-30', label: '30 dias', of: (now: Date) => lastDays(30, now) },
  { id: 'month', label: 'Este mês', of: thisMonth },
] as const

/** The preset with exactly this period, or undefined for a custom one. */
export const presetOf = ({ start_date, end_date }: Period, now: Date) =>
  PRESETS.find(({ of }) => {
    const preset = of(now)
    return preset.start_date === start_date && preset.end_date === end_date
  })

export const isAllTime = ({ start_date, end_date }: Period) => start_date === '' && end_date === ''

/** Server filter of a period; an open end is omitted. */
export const filterOf = ({ start_date, end_date }: Period) => ({
  ...(start_date && { start_date }),
  ...(end_date && { end_date }),
})

/** 2026-11-21 → 21/11/2026. */
export const typedDay = (iso: string) => iso.split('-').reverse().join('/')
/** 21/11/2026 → 2026-11-21. */
export const isoOfTyped = (typed: string) => typed.split('/').reverse().join('-')

/** «Todo o período», «21/11/2026», «de 01/11/2026 a 21/11/2026». */
export function periodText({ start_date, end_date }: Period) {
  if (!start_date && !end_date) return 'Todo o período'
  if (start_date === end_date) return typedDay(start_date)
  if (!start_date) return `até ${typedDay(end_date)}`
  if (!end_date) return `desde ${typedDay(start_date)}`
  return `de ${typedDay(start_date)} a ${typedDay(end_date)}`
}
