import { Button } from '@blueprintjs/core'
import { CrossIcon, FilterIcon, FilterRemoveIcon } from '@blueprintjs/icons'
import {
  CONVERSION_STATUS,
  type ConversionStatus,
  ORDER_STATUS,
  ORDER_STATUSES,
} from '@garantia/shared/orders/status'
import { BUILT_IN_VIEWS } from '@garantia/shared/orders/views'
import { trpc } from '../../../lib/trpc.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { MultiFilter } from '../../../ui/table/multi-filter.tsx'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import { ATTENTION_KEYS } from '../order/attention-keys.ts'
import { useViews } from '../views/use-views.ts'
import { ViewsMenu } from '../views/views-menu.tsx'
import { CompanyFilter } from './company-filter.tsx'
import { daysText } from './filter-texts.ts'
import { type ListState, listFilter } from './list-state.ts'
import { OpeningFilter } from './opening-filter.tsx'
import { countFilters, isFiltered, matchesView, stateOf, viewOf } from './orders-search.ts'
import { ResponsibleFilter } from './responsible-filter.tsx'

interface Props {
  list: ListState
  typedSearch: string
  isPending: boolean
  /** On phones the filters are folded until they are asked for. */
  isUnfolded: boolean
  onUnfold: (isUnfolded: boolean) => void
  onType: (text: string) => void
  onClear: () => void
}

const STATUS_CHOICES = ORDER_STATUSES.map((value) => ({ value, label: ORDER_STATUS[value].label }))

export function FilterBar(props: Props) {
  const { list, typedSearch, isPending, isUnfolded, onUnfold, onType, onClear } = props
  const { state, filterBy } = list
  const views = useViews('orders', BUILT_IN_VIEWS, (view) => matchesView(state, view))
  const isNamed = views.used !== undefined
  const brands = trpc.brands.list.useQuery()
  const active = countFilters(state)
  const hint = useKeyHint()
  return (
    <search className={`toolbar orders-toolbar${isUnfolded ? ' is-unfolded' : ''}`}>
      <SearchBox
        label="Buscar ordens de serviço"
        placeholder="OS, cliente, placa, CPF…"
        value={typedSearch}
        isPending={isPending}
        onChange={onType}
      />
      <Button
        className="filters-unfold"
        icon={<FilterIcon />}
        text={active > 0 ? `Filtros (${active})` : 'Filtros'}
        aria-expanded={isUnfolded}
        active={active > 0}
        onClick={() => onUnfold(!isUnfolded)}
      />
      <div className="orders-filters">
        <ViewsMenu
          views={views}
          criteria={viewOf(state)}
          onShow={(view) => list.show(stateOf(view, state.limit))}
          keys={ATTENTION_KEYS}
        />
        <MultiFilter
          label="Status"
          all="Todos os status"
          several={(count) => `${count} status`}
          shortcut="f"
          choices={STATUS_CHOICES}
          {...listFilter(list, 'status')}
        />
        <MultiFilter
          label="Marca"
          all="Todas as marcas"
          several={(count) => `${count} marcas`}
          choices={(brands.data?.data ?? []).map(({ id, display_name }) => ({
            value: String(id),
            label: display_name,
          }))}
          {...listFilter(list, 'brand_id')}
        />
        <CompanyFilter {...listFilter(list, 'company_id')} />
        <ResponsibleFilter list={list} />
        <OpeningFilter list={list} />
        {!isNamed && state.conversion_status && (
          <Chip
            text={`Conversão: ${conversionLabel(state.conversion_status)}`}
            onRemove={() => filterBy({ conversion_status: '' })}
          />
        )}
        {!isNamed && (state.min_days_open > 0 || state.max_days_open > 0) && (
          <Chip
            text={daysText(state.min_days_open, state.max_days_open)}
            onRemove={() => filterBy({ min_days_open: 0, max_days_open: 0 })}
          />
        )}
        <Button
          className="filters-clear"
          variant="minimal"
          icon={<FilterRemoveIcon />}
          text="Limpar Filtros"
          {...hint('Limpar Filtros', 'escape')}
          disabled={!isFiltered(state) && typedSearch === ''}
          onClick={onClear}
        />
      </div>
    </search>
  )
}

const conversionLabel = (list: string) =>
  [...new Set(list.split(',').map((one) => CONVERSION_STATUS[one as ConversionStatus].label))].join(', ')

/** An active filter without a menu of its own; not shown when a named view is active. */
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
