import { SearchTextIcon } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'

/** OSD-6: absent, deleted and out-of-scope orders get the same message. */
export const MissingOrder = () => (
  <EmptyState
    icon={<SearchTextIcon size={20} />}
    title="Ordem de serviço não encontrada"
    action={
      <Link to="/lista-os" className="bp6-button">
        Voltar para a lista
      </Link>
    }
  >
    Ela pode ter sido excluída ou pertencer a outra empresa.
  </EmptyState>
)
