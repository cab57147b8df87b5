import type { AnswersReport, ListCriteria, Refusals } from '@garantia/shared/claims/reports'
import { brl, counted, decimal, integer } from '@garantia/shared/format'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { MonthFilter } from '../../orders/reports/month-filter.tsx'
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
            <Part
              key={part}
              title={title}
              head={head}
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

function Answers({ report }: { report: AnswersReport | undefined }) {
  const id = useId()
  return (
    <section className="panel report-panel" aria-labelledby={id}>
      <h2 id={id}>Respostas</h2>
      {report ? (
        <>
          <dl className="refusal-means">
            <Mean name="Dias até a resposta" {...report.days_to_answer} />
            <Mean name="Dias até o crédito" {...report.days_to_credit} />
          </dl>
          <table className="report-table">
            <thead>
              <tr>
                <th scope="col">Marca</th>
                <th scope="col">Respon­didas</th>
                <th scope="col">Aceitas na 1ª vez</th>
                <th scope="col">%</th>
              </tr>
            </thead>
            <tbody>
              {report.first_answers_of_brands.length === 0 && <Nothing columns={4} />}
              {report.first_answers_of_brands.map(({ id, name, ...one }) => (
                <tr key={id}>
                  <th scope="row">{name}</th>
                  <FirstAnswers of={one} />
                </tr>
              ))}
            </tbody>
            {report.first_answers_of_brands.length > 0 && (
              <tfoot>
                <tr>
                  <th scope="row">Total</th>
                  <FirstAnswers of={report.first_answers} />
                </tr>
              </tfoot>
            )}
          </table>
        </>
      ) : (
        <Delayed>
          <Skeleton width={80} />
        </Delayed>
      )}
    </section>
  )
}

const Mean = ({ name, days, claims, criteria }: { name: string } & AnswersReport['days_to_answer']) => (
  <div>
    <dt>{name}</dt>
    <dd className="numeric">
      {days === null ? '—' : <Figure criteria={criteria}>{decimal(days)}</Figure>}
      <span className="muted"> em {counted(claims, 'solicitação', 'solicitações')}</span>
    </dd>
  </div>
)

const FirstAnswers = ({ of: one }: { of: AnswersReport['first_answers'] }) => (
  <>
    <td className="numeric">
      <Figure criteria={one.criteria}>{integer(one.answered)}</Figure>
    </td>
    <td className="numeric">
      <Figure criteria={one.accepted_criteria}>{integer(one.accepted)}</Figure>
    </td>
    <td className="numeric">{one.rate === null ? '—' : decimal(one.rate)}</td>
  </>
)

const Nothing = ({ columns }: { columns: number }) => (
  <tr>
    <td colSpan={columns} className="muted">
      Nada no período.
    </td>
  </tr>
)

interface PartProps {
  title: string
  head: string
  lines: AnswersReport['reasons'] | undefined
  total: Refusals | undefined
}
function Part({ title, head, lines, total }: PartProps) {
  const id = useId()
  return (
    <section className="panel report-panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <table className="report-table refusal-table">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" title="Uma solicitação pode ter itens recusados por vários motivos.">
              Solici­tações
            </th>
            <th scope="col">Itens</th>
            <th scope="col">Recusado</th>
          </tr>
        </thead>
        <tbody>
          {lines === undefined && (
            <tr>
              <td colSpan={4}>
                <Delayed>
                  <Skeleton width={80} />
                </Delayed>
              </td>
            </tr>
          )}
          {lines?.length === 0 && <Nothing columns={4} />}
          {lines?.map(({ key, name, ...figures }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <Refused of={figures} />
            </tr>
          ))}
        </tbody>
        {total && lines && lines.length > 0 && (
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <Refused of={total} />
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}

const Refused = ({ of: { claims, lines, amount, criteria } }: { of: Refusals }) => (
  <>
    <td className="numeric">
      <Figure criteria={criteria}>{integer(claims)}</Figure>
    </td>
    <td className="numeric">{integer(lines)}</td>
    <td className="numeric">{brl(amount)}</td>
  </>
)
