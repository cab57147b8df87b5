import { Button } from '@blueprintjs/core'
import { ThListIcon } from '@blueprintjs/icons'
import { hasNoCompany } from '@garantia/shared/policy'
import { useActor } from '../../../lib/actor.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { countFilters, isFiltered as isFilteredList, type OrdersSearch } from './orders-search.ts'

interface Props {
  state: OrdersSearch
  onClear: () => void
  onOpen: () => void
}

/** Names what was searched for: a filter is taken back elsewhere than a word. */
const filteredBy = (state: OrdersSearch) =>
  !state.search
    ? 'Nenhuma corresponde aos filtros escolhidos.'
    : countFilters(state) > 0
      ? `Nenhuma corresponde a «${state.search}» com os filtros escolhidos.`
      : `Nenhuma corresponde a «${state.search}».`

export function NoOrders({ state, onClear, onOpen }: Props) {
  const isFiltered = isFilteredList(state)
  const lacksCompany = hasNoCompany(useActor())
  const why = lacksCompany
    ? 'Sua conta ainda não está vinculada a uma empresa. Fale com um administrador.'
    : isFiltered
      ? filteredBy(state)
      : 'Crie a primeira para começar.'
  const next = isFiltered ? (
    <Button text="Limpar Filtros" onClick={onClear} />
  ) : (
    <Button text="Nova OS" onClick={onOpen} />
  )
  return (
    <div className="panel">
      <EmptyState
        icon={<ThListIcon size={20} />}
        title="Nenhuma ordem de serviço encontrada"
        action={!lacksCompany && next}
      >
        {why}
      </EmptyState>
    </div>
  )
}
