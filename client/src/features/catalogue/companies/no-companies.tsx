import { Button } from '@blueprintjs/core'
import { OfficeIcon } from '@blueprintjs/icons'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'

interface Props {
  isPastEnd: boolean
  isFiltered: boolean
  onFirstPage: () => void
  onClear: () => void
  /** Null when the user may not add companies. */
  onAdd: (() => void) | null
}

export function NoCompanies(props: Props) {
  const { why, next } = reasonOf(props)
  return (
    <div className="panel">
      <EmptyState
        icon={<OfficeIcon size={20} />}
        title={props.isPastEnd ? 'Nenhuma empresa nesta página' : 'Nenhuma empresa encontrada'}
        action={next && <Button {...next} />}
      >
        {why}
      </EmptyState>
    </div>
  )
}

function reasonOf({ isPastEnd, isFiltered, onFirstPage, onClear, onAdd }: Props) {
  if (isPastEnd)
    return {
      why: 'A lista terminou na página anterior.',
      next: { text: 'Ir para a primeira página', onClick: onFirstPage },
    }
  if (isFiltered)
    return {
      why: 'Nenhuma corresponde aos filtros escolhidos.',
      next: { text: 'Limpar filtros', onClick: onClear },
    }
  const why = 'Toda OS pertence a uma empresa.'
  return onAdd
    ? {
        why: `${why} Cadastre a matriz primeiro; as filiais ficam ligadas a ela.`,
        next: { text: 'Adicionar Empresa', onClick: onAdd },
      }
    : { why: `${why} Ainda não há nenhuma que você possa ver: fale com um administrador.`, next: null }
}
