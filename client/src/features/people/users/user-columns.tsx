import { formatCpf } from '@garantia/shared/br/tax-id'
import { lastLoginLabel } from '@garantia/shared/users/schema'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { breakable } from '../../../ui/page/breakable.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { TwoLines } from '../../../ui/table/two-lines.tsx'
import { ActiveDot, nameOf, RoleBadge } from './user-badges.tsx'
import { type UserActions, UserMenu, useIsSelf } from './user-menu.tsx'
import type { UserRow } from './user-row.ts'

/** The columns of ADM-4 to ADM-17, in their order. */
export const userColumns = (actions: UserActions): Column<UserRow>[] => [
  { id: 'name', header: 'Nome / Usuário', cell: ({ row }) => <NameCell user={row.original} /> },
  {
    id: 'cpf',
    header: 'CPF',
    meta: { width: 'w-cpf', priority: 3 },
    cell: ({ row }) => <span className="numeric">{formatCpf(row.original.cpf ?? '') || '—'}</span>,
  },
  { id: 'company', header: 'Empresa', cell: ({ row }) => <TwoLines first={row.original.company_name} /> },
  {
    id: 'role',
    header: 'Função',
    meta: { width: 'w-role' },
    cell: ({ row }) => <RoleBadge {...row.original} />,
  },
  {
    id: 'department',
    header: 'Departamento / Cargo',
    cell: ({ row: { original: user } }) => (
      <TwoLines first={user.department ?? user.position} second={user.department && user.position} />
    ),
  },
  {
    id: 'last_login',
    header: 'Último acesso',
    meta: { width: 'w-seen' },
    cell: ({ row }) => (
      <span className="numeric">{lastLoginLabel(row.original.last_login_at, new Date())}</span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    meta: { width: 'w-state' },
    cell: ({ row }) => <ActiveDot {...row.original} />,
  },
  {
    id: 'actions',
    header: 'Ações',
    meta: { width: 'w-actions', align: 'right' },
    cell: ({ row }) => <UserMenu user={row.original} actions={actions} />,
  },
]

/** Name and login, with a badge on the user's own row (ADM-4, ADM-16). */
export function NameCell({ user }: { user: UserRow }) {
  const isSelf = useIsSelf(user)
  return (
    <>
      <span className="user-name">
        <span className="clip" title={nameOf(user)}>
          {nameOf(user)}
        </span>
        {isSelf && <Badge colour="gray">Você</Badge>}
      </span>
      <span className="cell-second" title={user.email}>
        {breakable(user.email)}
      </span>
    </>
  )
}
