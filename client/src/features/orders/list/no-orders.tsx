import { Button } from '@blueprintjs/core'
import { ThListIcon } from '@blueprintjs/icons'
import { hasNoCompany, useActor } from '../../../lib/actor.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'

interface Props {
  isFiltered: boolean
  onClear: () => void
  onOpen: () => void
}

export function NoOrders({ isFiltered, onClear, onOpen }: Props) {
  const lacksCompany = hasNoCompany(useActor())
  const why = lacksCompany
    ? 'Sua conta ainda não está vinculada a uma empresa. Fale com um administrador.'
    : isFiltered
      ? 'Nenhuma corresponde aos filtros escolhidos.'
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
