import { Button } from '@blueprintjs/core'
import { CalendarIcon, FilterRemoveIcon, RefreshIcon } from '@blueprintjs/icons'
import { type DeadlineRow, DUE_KIND, DUE_KINDS } from '@garantia/shared/claims/deadlines'
import { counted, daysBefore, dayText, isoDay } from '@garantia/shared/format'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { chosenOf } from '../../../lib/search-fields.ts'
import { trpc } from '../../../lib/trpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { ChoiceFilter } from '../../../ui/table/choice-filter.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { MultiFilter } from '../../../ui/table/multi-filter.tsx'
import { usePageInRange } from '../../../ui/table/page-in-range.ts'
import { CompanyFilter } from '../../orders/list/company-filter.tsx'
import { DEADLINE_COLUMNS, DeadlineCard, nameOf, tabOf } from './deadline-rows.tsx'
import { type DeadlinesSearch, NO_DEADLINE_FILTER } from './deadlines-search.ts'
import '../../orders/list/list.css'
import './deadlines.css'

const route = getRouteApi('/app/prazos')
const PAGE_SIZE = 25
const KINDS = DUE_KINDS.map((value) => ({ value, label: DUE_KIND[value] }))
const UNTIL = [
  { days: -1, label: 'Vencidos' },
  { days: 0, label: 'Até hoje' },
  { days: 7, label: 'Em 7 dias' },
  { days: 30, label: 'Em 30 dias' },
] as const

/** An address may name any other day. */
function untilChoices(until: string) {
  const today = isoDay(new Date())
  const choices: { value: string; label: string }[] = UNTIL.map(({ days, label }) => ({
    value: daysBefore(today, -days),
    label,
  }))
  const isOther = until !== '' && !choices.some(({ value }) => value === until)
  return isOther ? [...choices, { value: until, label: `Até ${dayText(until)}` }] : choices
}

const deadlineCriteriaOf = ({ kind, brand_id, company_id, until }: DeadlinesSearch) => ({
  kind:
    chosenOf(kind)
      .filter((one) => DUE_KINDS.some((known) => known === one))
      .join(',') || undefined,
  brand_id: brand_id || undefined,
  company_id: company_id || undefined,
  until: until || undefined,
})
const isFilteredDeadlines = (state: DeadlinesSearch) =>
  Object.values(deadlineCriteriaOf(state)).some((value) => value !== undefined)

/** All that is due, of claims, parts and repairs: overdue first, then by date. */
export function DeadlinesPage() {
  const state = route.useSearch()
  const navigate = route.useNavigate()
  const go = (change: Partial<DeadlinesSearch>, replace = false) =>
    void navigate({ search: (now) => ({ ...now, page: 1, ...change }), replace, resetScroll: false })
  const deadlines = trpc.deadlines.page.useQuery(
    { ...deadlineCriteriaOf(state), skip: (state.page - 1) * PAGE_SIZE, limit: PAGE_SIZE },
    {
      placeholderData: keepPreviousData,
      // Rows of several tables have no id of their own.
      select: (page) => ({
        ...page,
        items: page.items.map((row, index) => ({ ...row, id: (state.page - 1) * PAGE_SIZE + index + 1 })),
      }),
    },
  )
  const total = deadlines.data?.total ?? 0
  usePageInRange(
    state.page,
    deadlines.isPlaceholderData ? undefined : deadlines.data && Math.max(1, Math.ceil(total / PAGE_SIZE)),
    (page) => go({ page }, true),
  )
  const brands = trpc.brands.list.useQuery(undefined, { staleTime: 60_000 })
  const clear = () => go(NO_DEADLINE_FILTER)
  useShortcut('r', () => void deadlines.refetch(), { label: 'Atualizar' })
  useShortcut('escape', clear, { label: 'Limpar Filtros', when: () => isFilteredDeadlines(state) })
  const hint = useKeyHint()
  const open = ({ order_id, kind }: DeadlineRow) =>
    void navigate({ to: '/os/$id', params: { id: order_id }, search: { tab: tabOf(kind) } })
  const several = (name: 'kind' | 'brand_id' | 'company_id') => ({
    chosen: chosenOf(state[name]),
    onChange: (values: string[], isFirst: boolean) => go({ [name]: values.join(',') }, !isFirst),
  })
  return (
    <div className="orders-list deadlines shows-filters print-wide">
      <PageHeader
        title="Prazos"
        aside={
          <span className="muted numeric" role="status">
            {deadlines.data &&
              [
                deadlines.data.total_is_exact ? counted(total, 'prazo', 'prazos') : 'mais de 1.000 prazos',
                deadlines.data.overdue > 0 && counted(deadlines.data.overdue, 'vencido', 'vencidos'),
              ]
                .filter(Boolean)
                .join(' · ')}
          </span>
        }
        actions={
          <>
            <LinkButton
              icon={<CalendarIcon />}
              text="No meu calendário"
              to="/settings"
              search={{ tab: 'perfil' }}
            />
            <Button
              icon={<RefreshIcon />}
              text="Atualizar"
              {...hint('Atualizar', 'r')}
              loading={deadlines.isFetching && !deadlines.isPending}
              onClick={() => void deadlines.refetch()}
            />
          </>
        }
      />
      <search className="toolbar orders-toolbar">
        <div className="orders-filters">
          <MultiFilter
            label="Prazo"
            all="Todos os prazos"
            several={(count) => `${count} prazos`}
            shortcut="f"
            choices={KINDS}
            {...several('kind')}
          />
          <ChoiceFilter
            label="Até quando"
            all="Qualquer data"
            choices={untilChoices(state.until)}
            chosen={state.until}
            onChange={(until) => go({ until })}
          />
          <MultiFilter
            label="Marca"
            all="Todas as marcas"
            several={(count) => `${count} marcas`}
            choices={(brands.data?.data ?? []).map(({ id, display_name }) => ({
              value: String(id),
              label: display_name,
            }))}
            {...several('brand_id')}
          />
          <CompanyFilter {...several('company_id')} />
          <Button
            variant="minimal"
            icon={<FilterRemoveIcon />}
            text="Limpar Filtros"
            disabled={!isFilteredDeadlines(state)}
            onClick={clear}
          />
        </div>
      </search>
      <DataTable
        label="Prazos"
        query={deadlines}
        columns={DEADLINE_COLUMNS}
        card={(row) => <DeadlineCard row={row} />}
        onOpen={open}
        nameOf={nameOf}
        page={state.page}
        pageSize={PAGE_SIZE}
        total={total}
        isTotalExact={deadlines.data?.total_is_exact}
        onPage={(page) => go({ page })}
        errorTitle="Erro ao carregar prazos"
        empty={
          <div className="panel">
            <EmptyState
              icon={<CalendarIcon size={18} />}
              title="Nenhum prazo"
              action={isFilteredDeadlines(state) && <Button text="Limpar Filtros" onClick={clear} />}
            >
              {isFilteredDeadlines(state)
                ? 'Nenhum corresponde aos filtros escolhidos.'
                : 'Os prazos vêm das regras de cada marca e do prazo legal do reparo.'}
            </EmptyState>
          </div>
        }
      />
    </div>
  )
}
