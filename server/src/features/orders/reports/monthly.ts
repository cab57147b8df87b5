import {
  type MonthlyReport,
  monthsBetween,
  NOBODY_RESPONSIBLE,
  REPORT_FIGURES,
  type ReportFigures,
  type ReportLine,
  type ReportPeriod,
} from '@garantia/shared/orders/report'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { type ReportSum, readSums } from './queries.ts'

/**
 * Orders opened, completed and ready, and refused conversions, of calendar months in São Paulo, in the caller's scope
 * (DECISIONS 152). Lines of a part are ordered by what was opened, then by name. 401 for an anonymous caller.
 */
export async function readMonthlyReport(ctx: Ctx, period: ReportPeriod): Promise<MonthlyReport> {
  authorize(ctx.actor, 'order.list')
  const sums = await readSums(ctx, period)
  const byMonth = new Map(sums.filter(({ part }) => part === 'month').map((sum) => [sum.month, sum]))
  const months = monthsBetween(period.from, period.until).map((month) => ({
    month,
    ...figuresOf(byMonth.get(month)),
  }))
  return {
    ...period,
    total: totalOf(months),
    months,
    brands: linesOf(sums, 'brand'),
    companies: linesOf(sums, 'company'),
    people: linesOf(sums, 'person'),
  }
}

const figuresOf = (sum: ReportFigures | undefined): ReportFigures => ({
  opened: sum?.opened ?? 0,
  completed: sum?.completed ?? 0,
  ready: sum?.ready ?? 0,
  refused: sum?.refused ?? 0,
})

function totalOf(lines: readonly ReportFigures[]) {
  const total = figuresOf(undefined)
  for (const line of lines) for (const figure of REPORT_FIGURES) total[figure] += line[figure]
  return total
}

const linesOf = (sums: readonly ReportSum[], part: ReportSum['part']): ReportLine[] =>
  sums
    .filter((sum) => sum.part === part)
    .map((sum) => ({ id: sum.id, name: sum.name ?? NOBODY_RESPONSIBLE, ...figuresOf(sum) }))
    .sort((a, b) => b.opened - a.opened || a.name.localeCompare(b.name, 'pt-BR'))
