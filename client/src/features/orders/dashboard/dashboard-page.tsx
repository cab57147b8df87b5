import { Button, Callout } from '@blueprintjs/core'
import { ChartIcon, RefreshIcon, WarningSignIcon } from '@blueprintjs/icons'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { isAwayError } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { PrintHead } from '../../../ui/page/print-head.tsx'
import { ClaimsRow } from '../../claims/deadlines/claims-row.tsx'
import { useAttentionKeys } from '../order/attention-keys.ts'
import { AttentionRow } from './attention-row.tsx'
import { brandBars, dayBars } from './bars.ts'
import { ChartPanel } from './chart-panel.tsx'
import './dashboard.css'
import { FigureTile } from './figure-tile.tsx'
import { countsOf, movementOf, resultsOf } from './figures.ts'
import { Freshness } from './freshness.tsx'
import { CHART_DAYS, filterOf, lastDays, periodText } from './period.ts'
import { PeriodFilter } from './period-filter.tsx'
import { REFRESH, RecentOrders } from './recent-orders.tsx'
import { SAMPLE } from './sample-metrics.ts'

const HorizontalBars = lazy(async () => ({ default: (await import('./charts.tsx')).HorizontalBars }))
const VerticalBars = lazy(async () => ({ default: (await import('./charts.tsx')).VerticalBars }))
const route = getRouteApi('/app/dashboard')
const GROUPS = [
  { name: 'Resultado', figuresOf: resultsOf, className: 'figures is-large' },
  { name: 'Ordens de serviço', figuresOf: countsOf, className: 'figures is-sum' },
  { name: 'Movimento', figuresOf: movementOf, className: 'figures is-five' },
] as const

export function DashboardPage() {
  const period = route.useSearch()
  const navigate = route.useNavigate()
  const metrics = trpc.dashboard.metrics.useQuery(filterOf(period), {
    refetchInterval: REFRESH,
    placeholderData: keepPreviousData,
  })
  const latest = trpc.dashboard.metrics.useQuery(lastDays(CHART_DAYS, new Date()), {
    refetchInterval: REFRESH,
  })
  const utils = trpc.useUtils()
  const refresh = () => {
    void utils.dashboard.invalidate()
    void utils.deadlines.invalidate()
    void utils.claimReports.invalidate()
  }
  useShortcut('r', refresh, { label: 'Atualizar' })
  useShortcut([], () => window.print(), { label: 'Imprimir o painel' })
  useShortcut('g r', () => void navigate({ to: '/relatorios' }), { label: 'Ir para Relatórios' })
  useAttentionKeys(({ criteria }) => void navigate({ to: '/lista-os', search: criteria }))
  const hint = useKeyHint()

  // A query without data clears its error on each retry, but keeps the error count.
  const isSample = !metrics.data && metrics.errorUpdateCount > 0
  const isLoading = metrics.isPending && !isSample
  const shown = metrics.data ?? SAMPLE
  const brands = brandBars((isSample ? SAMPLE : latest.data)?.orders_by_brand ?? {})
  const days = isLoading ? [] : dayBars(shown.weekly_series)
  return (
    <div className="print-wide">
      <PageHeader
        title="Dashboard"
        aside={
          <Freshness
            at={metrics.dataUpdatedAt}
            hasFailedSince={metrics.error !== null && !isSample && !isAwayError(metrics.error)}
          />
        }
        actions={
          <>
            <LinkButton
              icon={<ChartIcon />}
              text="Relatórios"
              to="/relatorios"
              {...hint('Relatórios', 'g r')}
            />
            <Button
              icon={<RefreshIcon />}
              text="Atualizar"
              {...hint('Atualizar', 'r')}
              loading={metrics.isFetching && !isLoading}
              onClick={refresh}
            />
          </>
        }
      />
      <PrintHead filters={[periodText(period)]} at={metrics.dataUpdatedAt} />
      <AttentionRow />
      <ClaimsRow refreshEvery={REFRESH} />
      <PeriodFilter period={period} onChange={(search) => void navigate({ search, replace: true })} />
      {isSample && (
        <Callout className="sample-banner" icon={<WarningSignIcon />} intent="warning" role="alert">
          <span>Dados de exemplo — não foi possível carregar os indicadores</span>
          <Button size="small" icon={<RefreshIcon />} text="Tentar novamente" onClick={refresh} />
        </Callout>
      )}
      <div
        className={['dashboard', isSample && 'is-sample', metrics.isPlaceholderData && 'is-stale']
          .filter(Boolean)
          .join(' ')}
        aria-busy={isLoading || metrics.isPlaceholderData}
      >
        {GROUPS.map(({ name, figuresOf, className }) => (
          <ul key={name} className={className} aria-label={name}>
            {figuresOf(shown).map((figure) => (
              <FigureTile
                key={figure.label}
                figure={figure}
                isLoading={isLoading}
                period={isSample ? null : period}
              />
            ))}
          </ul>
        ))}
        <div className="charts">
          <ChartPanel
            title="Distribuição por marca"
            aside="Últimos 30 dias"
            head="Marca"
            bars={brands.all}
            chart={
              latest.errorUpdateCount > 0 && !latest.data && !isSample ? (
                <ErrorState title="Erro ao carregar a distribuição" error={latest.error} onRetry={refresh} />
              ) : brands.all.length === 0 ? (
                <p className="chart-empty muted">
                  {latest.isPending ? '' : 'Nenhuma ordem aberta nos últimos 30 dias.'}
                </p>
              ) : (
                <Suspense>
                  <HorizontalBars label="Ordens por marca nos últimos 30 dias" bars={brands.shown} />
                </Suspense>
              )
            }
          />
          <ChartPanel
            title="Ordens abertas por dia"
            aside="Últimos 7 dias"
            head="Dia"
            bars={days}
            chart={
              isLoading ? null : (
                <Suspense>
                  <VerticalBars label="Ordens abertas por dia nos últimos 7 dias" bars={days} />
                </Suspense>
              )
            }
          />
        </div>
      </div>
      <RecentOrders />
    </div>
  )
}
