import { Button } from '@blueprintjs/core'
import { CrossIcon, FilterIcon, FilterRemoveIcon } from '@blueprintjs/icons'
import { CLAIM_STATE, CLAIM_STATES, CLAIM_TYPE, type ClaimType } from '@garantia/shared/claims/state'
import { CLAIM_VIEWS } from '@garantia/shared/claims/views'
import { daysBefore, dayText, isoDay } from '@garantia/shared/format'
import { chosenOf } from '../../../lib/search-fields.ts'
import { trpc } from '../../../lib/trpc.ts'
import { ChoiceFilter } from '../../../ui/table/choice-filter.tsx'
import { MultiFilter } from '../../../ui/table/multi-filter.tsx'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import { CompanyFilter } from '../../orders/list/company-filter.tsx'
import { useViews } from '../../orders/views/use-views.ts'
import { ViewsMenu } from '../../orders/views/views-menu.tsx'
import { countClaimFilters, isFilteredClaims } from './claim-criteria.ts'
import { claimStateOf, claimViewOf, DUE_CHOICES, matchesClaimView } from './claim-views.ts'
import { type ClaimsState, claimFilter } from './claims-state.ts'

const STATES = CLAIM_STATES.map((value) => ({ value, label: CLAIM_STATE[value].label }))

interface Props {
  list: ClaimsState
  typedSearch: string
  isPending: boolean
  /** On phones the filters are folded until they are asked for. */
  isUnfolded: boolean
  onUnfold: (isUnfolded: boolean) => void
  onType: (text: string) => void
  onClear: () => void
}

export function ClaimFilters(props: Props) {
  const { list, typedSearch, isPending, isUnfolded, onUnfold, onType, onClear } = props
  const { state } = list
  const brands = trpc.brands.list.useQuery(undefined, { staleTime: 60_000 })
  const active = countClaimFilters(state)
  const now = new Date()
  const views = useViews('claims', CLAIM_VIEWS, (view) => matchesClaimView(state, view, now))
  return (
    <search className={`toolbar orders-toolbar${isUnfolded ? ' is-unfolded' : ''}`}>
      <SearchBox
        label="Buscar solicitações"
        placeholder="OS, nº na marca, chassi, cliente…"
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
          criteria={claimViewOf(state, now)}
          onShow={(view) => list.show(claimStateOf(view, new Date(), state.limit))}
        />
        <MultiFilter
          label="Situação"
          all="Todas as situações"
          several={(count) => `${count} situações`}
          shortcut="f"
          choices={STATES}
          {...claimFilter(list, 'state')}
        />
        <MultiFilter
          label="Marca"
          all="Todas as marcas"
          several={(count) => `${count} marcas`}
          choices={(brands.data?.data ?? []).map(({ id, display_name }) => ({
            value: String(id),
            label: display_name,
          }))}
          {...claimFilter(list, 'brand_id')}
        />
        <CompanyFilter {...claimFilter(list, 'company_id')} />
        <DueFilter list={list} />
        {!views.used && <Chips list={list} />}
        <Button
          variant="minimal"
          icon={<FilterRemoveIcon />}
          text="Limpar Filtros"
          disabled={!isFilteredClaims(state) && typedSearch === ''}
          onClick={onClear}
        />
      </div>
    </search>
  )
}

/** Active filters without a control of their own; a view has its name instead. */
function Chips({ list: { state, filterBy } }: { list: ClaimsState }) {
  const chips = [
    state.type && {
      text: chosenOf(state.type)
        .map((one) => CLAIM_TYPE[one as ClaimType].label)
        .join(', '),
      change: { type: '' },
    },
    state.is_open === 'true' && { text: 'A receber', change: { is_open: '' as const } },
    state.is_open === 'false' && { text: 'Nada em aberto', change: { is_open: '' as const } },
    state.is_unappealed === 'true' && {
      text: 'Sem reconsideração',
      change: { is_unappealed: '' as const },
    },
    state.is_unappealed === 'false' && {
      text: 'Com reconsideração',
      change: { is_unappealed: '' as const },
    },
    state.sent_from && { text: `Enviada desde ${dayText(state.sent_from)}`, change: { sent_from: '' } },
    state.sent_until && { text: `Enviada até ${dayText(state.sent_until)}`, change: { sent_until: '' } },
  ].filter((chip) => chip !== false && chip !== '')
  return chips.map(({ text, change }) => (
    <Button
      key={text}
      className="filter-chip"
      size="small"
      endIcon={<CrossIcon size={12} />}
      text={text}
      aria-label={`Remover filtro ${text}`}
      title="Remover filtro"
      onClick={() => filterBy(change)}
    />
  ))
}

function DueFilter({ list: { state, filterBy } }: { list: ClaimsState }) {
  const today = isoDay(new Date())
  const choices: { value: string; label: string }[] = DUE_CHOICES.map(({ days, label }) => ({
    value: daysBefore(today, -days),
    label,
  }))
  const { due_until } = state
  if (due_until && !choices.some(({ value }) => value === due_until))
    choices.push({ value: due_until, label: `Vencem até ${dayText(due_until)}` })
  return (
    <ChoiceFilter
      label="Próxima data"
      all="Qualquer data"
      choices={choices}
      chosen={due_until}
      onChange={(value) => filterBy({ due_until: value })}
    />
  )
}
