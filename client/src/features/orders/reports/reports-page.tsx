import { Button } from '@blueprintjs/core'
import { ArrowLeftIcon, ExportIcon, PrintIcon } from '@blueprintjs/icons'
import { integer } from '@garantia/shared/format'
import {
  type MonthlyReport,
  monthText,
  REPORT_FIGURE,
  REPORT_FIGURES,
  type ReportFigures,
  type ReportPeriod,
} from '@garantia/shared/orders/report'
import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { download } from '../../../lib/files.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcuts } from '../../../ui/keys/shortcut.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { PrintHead } from '../../../ui/page/print-head.tsx'
import { usePress } from '../../../ui/press.ts'
import { MonthFilter } from './month-filter.tsx'
import { type ReportColumn, ReportTable } from './report-table.tsx'
import { periodOf } from './reports-search.ts'
import './reports.css'

const route = getRouteApi('/app/relatorios')

/** What was opened, completed, ready and refused in some months (D-74). */
export function ReportsPage() {
  const period = periodOf(route.useSearch())
  const navigate = route.useNavigate()
  const report = trpc.reports.monthly.useQuery(period, { placeholderData: keepPreviousData })
  const exporting = useReportExport()
  const { press, isBusy } = usePress(() => exporting.mutateAsync(period))
  const print = () => window.print()
  useShortcuts([
    { keys: 'x', act: press, label: 'Exportar relatório (XLSX)' },
    { keys: 'i', act: print, label: 'Imprimir relatório' },
  ])
  const hint = useKeyHint()
  return (
    <>
      <PageHeader
        title="Relatórios"
        lead={
          <Link
            to="/dashboard"
            className="bp6-button bp6-minimal"
            aria-label="Voltar para o painel"
            title="Voltar para o painel"
          >
            <ArrowLeftIcon />
          </Link>
        }
        actions={
          <>
            <Button
              icon={<ExportIcon />}
              text="Exportar XLSX"
              {...hint('Exportar relatório (XLSX)', 'x')}
              loading={isBusy}
              onClick={press}
            />
            <Button
              icon={<PrintIcon />}
              text="Imprimir"
              {...hint('Imprimir relatório', 'i')}
              disabled={!report.data}
              onClick={print}
            />
          </>
        }
      />
      <PrintHead filters={[periodText(period)]} at={report.dataUpdatedAt} />
      <MonthFilter period={period} onChange={(search) => void navigate({ search, replace: true })} />
      {report.error && !report.data ? (
        <div className="panel">
          <ErrorState
            title="Erro ao carregar o relatório"
            error={report.error}
            onRetry={() => void report.refetch()}
          />
        </div>
      ) : (
        <div
          className={report.isPlaceholderData ? 'reports is-stale' : 'reports'}
          aria-busy={report.isPending || report.isPlaceholderData}
        >
          {PARTS.map(({ title, head, linesOf }) => (
            <ReportTable
              key={title}
              title={title}
              head={head}
              columns={COLUMNS}
              lines={report.data && linesOf(report.data)}
              total={report.data?.total}
            />
          ))}
        </div>
      )}
    </>
  )
}

const COLUMNS: ReportColumn<ReportFigures>[] = REPORT_FIGURES.map((figure) => ({
  ...REPORT_FIGURE[figure],
  cell: ({ [figure]: count }) => (
    <span className={count === 0 ? 'is-zero' : undefined}>{integer(count)}</span>
  ),
}))
const PARTS = [
  {
    title: 'Por mês',
    head: 'Mês',
    linesOf: ({ months }: MonthlyReport) =>
      months.map(({ month, ...figures }) => ({ key: month, name: monthText(month), ...figures })),
  },
  { title: 'Por marca', head: 'Marca', linesOf: ({ brands }: MonthlyReport) => brands.map(keyed) },
  { title: 'Por empresa', head: 'Empresa', linesOf: ({ companies }: MonthlyReport) => companies.map(keyed) },
  {
    title: 'Por responsável',
    head: 'Responsável',
    linesOf: ({ people }: MonthlyReport) => people.map(keyed),
  },
]
const keyed = <Line extends { id: number | null }>(line: Line) => ({ key: String(line.id), ...line })

const periodText = ({ from, until }: ReportPeriod) =>
  from === until ? monthText(from) : `${monthText(from)} a ${monthText(until)}`

const useReportExport = () =>
  useMutation({
    mutationFn: ({ from, until }: ReportPeriod) =>
      download(
        `/service-orders/reports/monthly/export?${new URLSearchParams({ from, until })}`,
        'relatorio.xlsx',
      ),
    onSuccess: () => toast.success({ title: 'Download concluído' }),
    onError: (error) =>
      toast.error({
        title: 'Erro ao exportar',
        description: messageOf(error, 'Não foi possível exportar o relatório'),
      }),
  })
