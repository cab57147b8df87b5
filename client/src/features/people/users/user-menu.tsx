import { EditIcon, TrashIcon, UnlockIcon } from '@blueprintjs/icons'
import { can } from '@garantia/shared/policy'
import type { UserView } from '@garantia/shared/users/schema'
import { useActor } from '../../../lib/actor.ts'
import { RowMenu } from '../../../ui/table/row-menu.tsx'
import { nameOf } from './user-badges.tsx'
import type { UserRow } from './user-row.ts'

export interface UserActions {
  edit: (user: UserRow) => void
  remove: (user: UserRow) => void
  removeFactors: (user: UserRow) => void
}

export const useIsSelf = ({ id }: Pick<UserView, 'id'>) => {
  const actor = useActor()
  return actor.kind === 'user' && actor.id === id
}

/** Without actions the server would refuse; the menu of the user's own row stays, disabled (ADM-17). */
export function UserMenu({ user, actions }: { user: UserRow; actions: UserActions }) {
  const actor = useActor()
  const isSelf = useIsSelf(user)
  const items = [
    ...(can(actor, 'user.change', user)
      ? [{ text: 'Editar', icon: <EditIcon />, onClick: () => actions.edit(user) }]
      : []),
    ...(user.has_factor && can(actor, 'user.change', user) && can(actor, 'user.recredential')
      ? [
          {
            text: 'Remover verificação em duas etapas',
            icon: <UnlockIcon />,
            onClick: () => actions.removeFactors(user),
          },
        ]
      : []),
    ...(can(actor, 'user.delete', user)
      ? [{ text: 'Excluir', icon: <TrashIcon />, isDanger: true, onClick: () => actions.remove(user) }]
      : []),
  ]
  if (items.length === 0 && !isSelf) return null
  return <RowMenu label={`Ações de ${nameOf(user)}`} items={items} isDisabled={isSelf} />
}
