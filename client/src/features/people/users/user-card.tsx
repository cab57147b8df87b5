import { lastLoginLabel } from '@garantia/shared/users/schema'
import { ActiveDot, RoleBadge } from './user-badges.tsx'
import { NameCell } from './user-columns.tsx'
import { type UserActions, UserMenu } from './user-menu.tsx'
import type { UserRow } from './user-row.ts'

/** List row as a card, for phones. */
export function UserCard({ user, actions }: { user: UserRow; actions: UserActions }) {
  const place = [user.company_name, user.department, user.position].filter(Boolean).join(' · ')
  return (
    <div className="row-card panel">
      <div className="row-card-line">
        <div className="user-card-name">
          <NameCell user={user} />
        </div>
        <UserMenu user={user} actions={actions} />
      </div>
      {place && (
        <span className="cell-second" title={place}>
          {place}
        </span>
      )}
      <div className="row-card-line">
        <RoleBadge {...user} />
        <ActiveDot {...user} />
      </div>
      <span className="cell-second">Último acesso: {lastLoginLabel(user.last_login_at, new Date())}</span>
    </div>
  )
}
