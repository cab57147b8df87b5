import { Button, HTMLSelect } from '@blueprintjs/core'
import { CrossIcon, FilterRemoveIcon } from '@blueprintjs/icons'
import {
  CONVERSION_STATUS,
  type ConversionStatus,
  ORDER_STATUS,
  ORDER_STATUSES,
} from '@garantia/shared/orders/status'
import { type ReactNode, useRef } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import type { ListState } from './list-state.ts'
import { isFiltered } from './orders-search.ts'
import { useViews } from './views/use-views.ts'

interface Props {
  list: ListState
  typedSearch: string
  isPending: boolean
  onType: (text: string) => void
  onClear: () => void
  /** The menu of saved views. */
  children: ReactNode
}

export function FilterBar({ list, typedSearch, isPending, onType, onClear, children }: Props) {
  const { state, filterBy, chooseFrom } = list
  const statusSelect = useRef<HTMLSelectElement>(null)
  useShortcut('f', () => statusSelect.current?.focus(), { label: 'Filtros', scope: 'table' })
  const hint = useKeyHint()
  const isNamed = useViews(state).used !== undefined
  const brands = trpc.brands.list.useQuery()
  return (
    <search className="toolbar orders-toolbar">
      <SearchBox
        label="Buscar ordens de serviço"
        placeholder="OS, cliente, placa, CPF…"
        value={typedSearch}
        isPending={isPending}
        onChange={onType}
      />
      <HTMLSelect
        ref={statusSelect}
        aria-label="Status"
        {...hint('Status', 'f')}
        value={state.status}
        onChange={(event) => chooseFrom({ status: event.currentTarget.value })}
      >
        <option value="">Todos os status</option>
        {statusChoices(state.status).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </HTMLSelect>
      <HTMLSelect
        aria-label="Marca"
        value={state.brand_id}
        onChange={(event) => chooseFrom({ brand_id: Number(event.currentTarget.value) })}
      >
        <option value={0}>Todas as marcas</option>
        {choicesWith(
          state.brand_id,
          brands.data?.data.map(({ id, display_name }) => ({ id, name: display_name })),
          'Outra marca',
        )}
      </HTMLSelect>
      <CompanyFilter value={state.company_id} onChange={(company_id) => chooseFrom({ company_id })} />
      {children}
      {!isNamed && state.conversion_status && (
        <Chip
          text={`Conversão: ${conversionLabel(state.conversion_status)}`}
          onRemove={() => filterBy({ conversion_status: '' })}
        />
      )}
      {!isNamed && state.min_days_open > 0 && (
        <Chip
          text={`Abertas há ${state.min_days_open}+ dias`}
          onRemove={() => filterBy({ min_days_open: 0 })}
        />
      )}
      <Button
        variant="minimal"
        icon={<FilterRemoveIcon />}
        text="Limpar Filtros"
        disabled={!isFiltered(state) && typedSearch === ''}
        onClick={onClear}
      />
    </search>
  )
}

const labelOf = (list: string) =>
  list
    .split(',')
    .flatMap((one) => ORDER_STATUSES.find((status) => status === one) ?? [])
    .map((status) => ORDER_STATUS[status].label)
    .join(' e ')

/** All statuses, plus the current combination when a card or a view has set one (D-28). */
function statusChoices(now: string) {
  const each = ORDER_STATUSES.map((status) => ({
    value: status as string,
    label: ORDER_STATUS[status].label,
  }))
  return now.includes(',') ? [{ value: now, label: labelOf(now) }, ...each] : each
}
const conversionLabel = (list: string) =>
  [...new Set(list.split(',').map((one) => CONVERSION_STATUS[one as ConversionStatus].label))].join(', ')

/**
 * The URL may name an id that is not among the choices; it gets an option, so that the filter is visibly
 * active.
 */
function choicesWith(value: number, choices: { id: number; name: string }[] | undefined, other: string) {
  const isThere = value === 0 || choices?.some(({ id }) => id === value)
  return [...(isThere ? [] : [{ id: value, name: choices ? other : 'Carregando…' }]), ...(choices ?? [])].map(
    ({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ),
  )
}

/** Shown only when there is more than one company to choose from. */
function CompanyFilter({ value, onChange }: { value: number; onChange: (id: number) => void }) {
  const actor = useActor()
  const seesMany = actor.kind === 'user' && (actor.scope === 'all' || actor.scope.length > 1)
  const companies = trpc.companies.list.useQuery({ limit: 100 }, { enabled: seesMany, staleTime: 60_000 })
  const isListed = companies.data?.data.some(({ id }) => id === value)
  const otherCompany = trpc.companies.one.useQuery(
    { id: value },
    { enabled: value > 0 && isListed === false },
  )
  if (!seesMany || (companies.data && companies.data.count < 2))
    return value > 0 ? <Chip text="Empresa" onRemove={() => onChange(0)} /> : null
  return (
    <HTMLSelect
      aria-label="Empresa"
      value={value}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    >
      <option value={0}>Todas as empresas</option>
      {choicesWith(
        value,
        companies.data?.data.map(({ id, trading_name }) => ({ id, name: trading_name })),
        otherCompany.data?.trading_name ?? 'Outra empresa',
      )}
    </HTMLSelect>
  )
}

/** An active filter without a select of its own; not shown when a named view is active. */
const Chip = ({ text, onRemove }: { text: string; onRemove: () => void }) => (
  <Button
    className="filter-chip"
    size="small"
    endIcon={<CrossIcon size={12} />}
    text={text}
    aria-label={`Remover filtro ${text}`}
    title="Remover filtro"
    onClick={onRemove}
  />
)
