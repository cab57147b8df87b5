import type { AnswersReport, ListCriteria, Refusals } from '@garantia/shared/claims/reports'
import { brl, counted, decimal, integer } from '@garantia/shared/format'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { MonthFilter } from '../../orders/reports/month-filter.tsx'
import { type ReportColumn, ReportTable } from '../../orders/reports/report-table.tsx'
import { PRESETS, periodOf } from '../../orders/reports/reports-search.ts'
import { Proposals } from './proposals.tsx'
import '../../orders/reports/reports.css'
import './refusals.css'

const route = getRouteApi('/app/recusas')

/** What brands have refused, by what and whom, how fast they answer, and what that suggests for their rules. */
export function RefusalsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const period = search.from ? periodOf(search) : PRESETS[2].of(new Date())
  const answers = trpc.claimReports.answers.useQuery(period, { placeholderData: keepPreviousData })
  return (
    <>
      <PageHeader
        title="Recusas"
        subtitle="O que as marcas recusaram, e em quanto tempo respondem e pagam."
      />
      <Proposals />
      <MonthFilter period={period} onChange={(search) => void navigate({ search, replace: true })} />
      {answers.error && !answers.data ? (
        <div className="panel">
          <ErrorState
            title="Erro ao carregar as recusas"
            error={answers.error}
            onRetry={() => void answers.refetch()}
          />
        </div>
      ) : (
        <div
          className={answers.isPlaceholderData ? 'reports is-stale' : 'reports'}
          aria-busy={answers.isPending || answers.isPlaceholderData}
        >
          <Answers report={answers.data} />
          {PARTS.map(({ part, title, head }) => (
            <ReportTable
              key={part}
              className="refusal-table"
              title={title}
              head={head}
              columns={COLUMNS}
              lines={answers.data?.[part]}
              total={answers.data?.refused}
            />
          ))}
        </div>
      )}
    </>
  )
}

const PARTS = [
  { part: 'reasons', title: 'Recusas por motivo', head: 'Motivo' },
  { part: 'brands', title: 'Recusas por marca', head: 'Marca' },
  { part: 'technicians', title: 'Recusas por técnico', head: 'Técnico' },
  { part: 'categories', title: 'Recusas por categoria', head: 'Categoria' },
  { part: 'months', title: 'Recusas por mês', head: 'Mês' },
] as const

/** A figure that leads to the list that makes it. */
const Figure = ({ criteria, children }: { criteria: ListCriteria; children: ReactNode }) => (
  <Link
    to="/solicitacoes"
    search={Object.fromEntries(Object.entries(criteria).map(([name, value]) => [name, String(value)]))}
    title="Ver as solicitações"
  >
    {children}
  </Link>
)

type FirstAnswers = AnswersReport['first_answers']
const ANSWER_COLUMNS: ReportColumn<FirstAnswers>[] = [
  {
    label: 'Respondidas',
    cell: ({ criteria, answered }) => <Figure criteria={criteria}>{integer(answered)}</Figure>,
  },
  {
    label: 'Aceitas na 1ª vez',
    cell: ({ accepted_criteria, accepted }) => (
      <Figure criteria={accepted_criteria}>{integer(accepted)}</Figure>
    ),
  },
  { label: '%', cell: ({ rate }) => (rate === null ? '—' : decimal(rate)) },
]
const Answers = ({ report }: { report: AnswersReport | undefined }) => (
  <ReportTable
    className="answer-table"
    title="Respostas"
    head="Marca"
    columns={ANSWER_COLUMNS}
    lines={report?.first_answers_of_brands.map((line) => ({ ...line, key: String(line.id) }))}
    total={report?.first_answers}
  >
    {report && (
      <dl className="refusal-means">
        <Mean name="Dias até a resposta" {...report.days_to_answer} />
        <Mean name="Dias até o crédito" {...report.days_to_credit} />
      </dl>
    )}
  </ReportTable>
)

const Mean = ({ name, days, claims, criteria }: { name: string } & AnswersReport['days_to_answer']) => (
  <div>
    <dt>{name}</dt>
    <dd className="numeric">
      {days === null ? '—' : <Figure criteria={criteria}>{decimal(days)}</Figure>}
      <span className="muted"> em {counted(claims, 'solicitação', 'solicitações')}</span>
    </dd>
  </div>
)

const COLUMNS: ReportColumn<Refusals>[] = [
  {
    label: 'Solicitações',
    meaning: 'Uma solicitação pode ter itens recusados por vários motivos.',
    cell: ({ criteria, claims }) => <Figure criteria={criteria}>{integer(claims)}</Figure>,
  },
  { label: 'Itens', cell: ({ lines }) => integer(lines) },
  { label: 'Recusado', cell: ({ amount }) => brl(amount) },
]
