import { Button } from '@blueprintjs/core'
import { DocumentShareIcon, ImportIcon, RefreshIcon } from '@blueprintjs/icons'
import type { ClaimRow } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import { nextStep } from '@garantia/shared/claims/steps'
import { counted } from '@garantia/shared/format'
import { ORDER_PAGE_SIZES } from '@garantia/shared/orders/criteria'
import { can } from '@garantia/shared/policy'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { useCompact } from '../../../lib/density.ts'
import { trpc } from '../../../lib/trpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { useDebouncedText } from '../../../ui/table/debounced-text.ts'
import { usePageInRange } from '../../../ui/table/page-in-range.ts'
import { useRowSelection } from '../../../ui/table/row-selection.ts'
import { TableFoot } from '../../../ui/table/table-foot.tsx'
import { type BulkStep, bulkRefusal, bulkStepsOf } from './claim-bulk.ts'
import { ClaimBulkBar } from './claim-bulk-bar.tsx'
import type { PendingBulk } from './claim-bulk-dialog.tsx'
import { claimCriteriaOf, claimListInput, isFilteredClaims } from './claim-criteria.ts'
import { ClaimExport } from './claim-export.tsx'
import { ClaimFilters } from './claim-filters.tsx'
import type { RowStep } from './claim-row-dialog.tsx'
import { ClaimCard, claimColumns, stepsOfRow } from './claim-rows.tsx'
import { useClaimsState } from './claims-state.ts'
import { ReportFilter } from './report-filter.tsx'
import '../../orders/list/list.css'
import './claims-list.css'

const ClaimRowDialog = lazy(async () => ({
  default: (await import('./claim-row-dialog.tsx')).ClaimRowDialog,
}))
const ClaimBulkDialog = lazy(async () => ({
  default: (await import('./claim-bulk-dialog.tsx')).ClaimBulkDialog,
}))
const NONE: readonly ClaimRow[] = []

/** The claims of all orders that the user sees. */
export function ClaimsPage() {
  const list = useClaimsState()
  const { state } = list
  const navigate = useNavigate()
  const actor = useActor()
  const person = actor.kind === 'user' ? actor.id : 0
  const isCompact = useCompact(person)
  const [typedSearch, setTypedSearch] = useDebouncedText(state.search, list.searchFor)
  const claims = trpc.claimList.page.useQuery(claimListInput(state), { placeholderData: keepPreviousData })
  const pageCount = Math.max(1, Math.ceil((claims.data?.total ?? 0) / state.limit))
  usePageInRange(
    state.page,
    claims.isPlaceholderData ? undefined : claims.data && pageCount,
    list.replacePage,
  )
  const selection = useRowSelection(JSON.stringify(claimCriteriaOf(state)), claims.data?.items ?? NONE)
  const [isUnfolded, setIsUnfolded] = useState(false)
  const [subject, setSubject] = useState<RowStep | null>(null)
  // It stays, so that the focus returns as it closes.
  const wasOpen = useRef(false)
  wasOpen.current ||= subject !== null
  const actions = useMemo(
    () => ({ start: (claim: ClaimRow, step: RowStep['step']) => setSubject({ claim, step }) }),
    [],
  )
  const columns = useMemo(() => claimColumns(actions), [actions])
  const clear = () => {
    setTypedSearch('')
    list.clear()
  }
  const refresh = () => void claims.refetch()
  useShortcut('r', refresh, { label: 'Atualizar' })
  useShortcut('escape', clear, { label: 'Limpar Filtros', when: () => isFilteredClaims(state) })
  const hint = useKeyHint()
  const [bulk, setBulk] = useState<PendingBulk | null>(null)
  const wasBulk = useRef(false)
  wasBulk.current ||= bulk !== null
  const startBulk = (step: BulkStep) => setBulk({ step, claims: selection.rows })
  const openOrder = ({ order_id }: ClaimRow) =>
    void navigate({ to: '/os/$id', params: { id: order_id }, search: { tab: 'garantia' } })
  const startNext = (claim: ClaimRow) => {
    if (selection.rows.length > 1 && selection.has(claim)) {
      const [step] = bulkStepsOf(actor, selection.rows)
      const refusal = bulkRefusal(selection.rows) ?? (step ? null : 'Nada a fazer por agora.')
      if (step && refusal === null) startBulk(step)
      else toast.warning({ title: 'Solicitações selecionadas', description: refusal })
      return
    }
    const { next } = stepsOfRow(actor, claim)
    if (next) actions.start(claim, next)
    else if (nextStep(claim) === 'appeal') openOrder(claim)
    else toast.warning({ title: claimName(claim), description: 'Nada a fazer por agora.' })
  }
  return (
    <div
      className={[
        'orders-list claims-list print-wide',
        isUnfolded && 'shows-filters',
        isCompact && 'is-compact',
      ]
        .filter(Boolean)
        .join(' ')}
    >
      <PageHeader
        title="Solicitações de Garantia"
        aside={
          <span className="muted numeric" role="status">
            {claims.data &&
              (claims.data.total_is_exact
                ? counted(claims.data.total, 'solicitação', 'solicitações')
                : 'mais de 1.000 solicitações')}
          </span>
        }
        actions={
          <>
            <ClaimExport state={state} isEmpty={!claims.data?.total} />
            <LinkButton text="Recusas" to="/recusas" {...hint('Recusas', 'g n')} />
            {can(actor, 'remittance.list') && (
              <LinkButton
                icon={<ImportIcon />}
                text="Conciliação"
                to="/conciliacao"
                {...hint('Conciliação', 'g o')}
              />
            )}
            <Button
              icon={<RefreshIcon />}
              text="Atualizar"
              {...hint('Atualizar', 'r')}
              loading={claims.isFetching && !claims.isPending}
              onClick={refresh}
            />
          </>
        }
      />
      <ClaimFilters
        list={list}
        isUnfolded={isUnfolded}
        onUnfold={setIsUnfolded}
        typedSearch={typedSearch}
        isPending={typedSearch.trim() !== state.search || claims.isPending || claims.isPlaceholderData}
        onType={setTypedSearch}
        onClear={clear}
      />
      <ReportFilter list={list} />
      <DataTable
        label="Solicitações de garantia"
        query={claims}
        columns={columns}
        card={(claim) => <ClaimCard claim={claim} actions={actions} selection={selection} />}
        onOpen={openOrder}
        rowKeys={[{ keys: 'p', label: 'Próximo passo da solicitação', act: startNext }]}
        sort={{ by: state.sort, direction: state.direction, onSort: list.sortBy }}
        selection={selection}
        nameOf={claimName}
        page={state.page}
        pageSize={state.limit}
        total={claims.data?.total ?? 0}
        isTotalExact={claims.data?.total_is_exact}
        onPage={list.turnTo}
        foot={
          <TableFoot
            sizes={ORDER_PAGE_SIZES}
            size={state.limit}
            total={claims.data?.total ?? 0}
            onResize={list.resize}
            person={person}
            isCompact={isCompact}
          />
        }
        errorTitle="Erro ao carregar solicitações de garantia"
        empty={
          <div className="panel">
            <EmptyState
              icon={<DocumentShareIcon size={18} />}
              title="Nenhuma solicitação encontrada"
              action={isFilteredClaims(state) && <Button text="Limpar Filtros" onClick={clear} />}
            >
              {isFilteredClaims(state)
                ? 'Nenhuma corresponde aos filtros escolhidos.'
                : 'Abra a primeira na aba Garantia de uma OS.'}
            </EmptyState>
          </div>
        }
      />
      <ClaimBulkBar selection={selection} onStart={(step) => startBulk(step)} />
      {wasBulk.current && (
        <Suspense>
          <ClaimBulkDialog pending={bulk} onDone={selection.drop} onClose={() => setBulk(null)} />
        </Suspense>
      )}
      {wasOpen.current && (
        <Suspense>
          <ClaimRowDialog subject={subject} onClose={() => setSubject(null)} />
        </Suspense>
      )}
    </div>
  )
}
