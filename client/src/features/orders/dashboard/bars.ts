import type { Metrics } from '@garantia/shared/orders/metrics'
import type { Bar } from './chart-panel.tsx'

const SHOWN = 8
/** Brands by number of orders; beyond eight the rest is summed into one bar, while the table lists all. */
export function brandBars(orders_by_brand: Metrics['orders_by_brand']) {
  const all: Bar[] = Object.entries(orders_by_brand)
    .map(([label, value]) => ({ label, value }))
    .sort((a, b) => b.value - a.value || a.label.localeCompare(b.label, 'pt-BR'))
  if (all.length <= SHOWN) return { all, shown: all }
  const rest = all.slice(SHOWN - 1)
  const value = rest.reduce((sum, bar) => sum + bar.value, 0)
  return { all, shown: [...all.slice(0, SHOWN - 1), { label: `Outras (${rest.length})`, value }] }
}

const weekday = new Intl.DateTimeFormat('pt-BR', { weekday: 'short', timeZone: 'UTC' })
/** Label example: «sáb 21/11». */
export const dayBars = (series: Metrics['weekly_series']): Bar[] =>
  series.map(({ day, orders }) => {
    const [, month = '', date = ''] = day.slice(0, 10).split('-')
    const name = weekday.format(new Date(`${day.slice(0, 10)}T00:00:00Z`)).replace('.', '')
    return { label: `${name} ${date}/${month}`, value: orders }
  })
