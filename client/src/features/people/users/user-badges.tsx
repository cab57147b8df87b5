import type { BadgeColour } from '@garantia/shared/orders/status'
import { ROLE_LABEL, type Role } from '@garantia/shared/users/role'
import type { UserView } from '@garantia/shared/users/schema'
import { Badge } from '../../../ui/feedback/badge.tsx'

const ROLE_COLOUR: Record<Role, BadgeColour> = { admin: 'red', manager: 'orange', technician: 'blue' }

/** ADM-7, ADM-8; a superuser is above all roles and outlined (D-50). */
export const RoleBadge = ({ role, is_superuser }: Pick<UserView, 'role' | 'is_superuser'>) =>
  is_superuser ? (
    <Badge colour="red" isOutlined>
      Super Admin
    </Badge>
  ) : (
    <Badge colour={ROLE_COLOUR[role]}>{ROLE_LABEL[role]}</Badge>
  )

/** ADM-15. */
export const ActiveDot = ({ is_active }: Pick<UserView, 'is_active'>) => (
  <span className={`active-dot ${is_active ? 'is-active' : 'is-inactive'}`}>
    {is_active ? 'Ativo' : 'Inativo'}
  </span>
)

export const nameOf = ({ full_name }: Pick<UserView, 'full_name'>) => full_name.trim() || 'Sem nome'
