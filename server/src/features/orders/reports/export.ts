import { Readable } from 'node:stream'
import {
  type MonthlyReport,
  monthText,
  REPORT_FIGURE,
  REPORT_FIGURES,
  type ReportFigures,
  type ReportPeriod,
} from '@garantia/shared/orders/report'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { Origin } from '../../../kernel/origin.ts'
import { beginExport, EXPORT_MIME } from '../list/service.ts'
import { readMonthlyReport } from './monthly.ts'

/**
 * The report as XLSX, one sheet for each part, with its totals. Recorded in the audit trail of the person and counted
 * with the exports of the list: 401 for an anonymous caller; 429 when two exports of the person or six of all are
 * running (try again after 30 s).
 */
export async function exportMonthlyReport(ctx: Ctx, period: ReportPeriod, origin: Origin) {
  authorize(ctx.actor, 'order.list')
  const end = beginExport(ctx)
  try {
    const bytes = await written(await readMonthlyReport(ctx, period))
    const changes = { format: 'xlsx', ...period }
    ctx.securityLog.note(ctx, { kind: 'report.exported', details: changes })
    if (ctx.actor.kind === 'user')
      await recordEvent(ctx, {
        subject: 'user',
        subject_id: ctx.actor.id,
        kind: 'report.exported',
        changes,
        origin,
      })
    const body = Readable.from([bytes], { objectMode: false })
    body.once('close', end)
    return {
      filename: `relatorio-${period.from}-a-${period.until}.xlsx`,
      mime: EXPORT_MIME.xlsx,
      body,
    }
  } catch (error) {
    end()
    throw error
  }
}

const NAME_WIDTH = 40
const FIGURE_WIDTH = 14

/** Names are written as text, so that none is a formula. */
async function written({ total, months, brands, companies, people }: MonthlyReport) {
  const { writeXlsx } = await import('hucre/xlsx')
  const figuresOf = (line: ReportFigures) => REPORT_FIGURES.map((figure) => line[figure])
  const sheet = (name: string, head: string, lines: readonly ({ name: string } & ReportFigures)[]) => ({
    name,
    columns: [{ width: NAME_WIDTH }, ...REPORT_FIGURES.map(() => ({ width: FIGURE_WIDTH }))],
    rows: [
      [head, ...REPORT_FIGURES.map((figure) => REPORT_FIGURE[figure].label)],
      ...lines.map((line) => [line.name, ...figuresOf(line)]),
      ['Total', ...figuresOf(total)],
    ],
    freezePane: { rows: 1 },
  })
  return Buffer.from(
    await writeXlsx({
      sheets: [
        sheet(
          'Por mês',
          'Mês',
          months.map(({ month, ...figures }) => ({ name: monthText(month), ...figures })),
        ),
        sheet('Por marca', 'Marca', brands),
        sheet('Por empresa', 'Empresa', companies),
        sheet('Por responsável', 'Responsável', people),
      ],
    }),
  )
}
