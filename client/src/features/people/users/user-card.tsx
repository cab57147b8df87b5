import { lastLoginLabel } from '@garantia/shared/users/schema'
import { ActiveDot, RoleBadge } from './user-badges.tsx'
import { NameCell } from './user-columns.tsx'
import { type UserActions, UserMenu } from './user-menu.tsx'
import type { UserRow } from './user-row.ts'

/** List row as a card, for phones. */
export const UserCard = ({ user, actions }: { user: UserRow; actions: UserActions }) => (
  <div className="row-card panel">
    <div className="row-card-line">
      <div className="user-card-name">
        <NameCell user={user} />
      </div>
      <UserMenu user={user} actions={actions} />
    </div>
    <span className="cell-second">
      {[user.company_name, user.department, user.position].filter(Boolean).join(' · ') || '—'}
    </span>
    <div className="row-card-line">
      <RoleBadge {...user} />
      <ActiveDot {...user} />
    </div>
    <span className="cell-second">Último acesso: {lastLoginLabel(user.last_login_at, new Date())}</span>
  </div>
)
