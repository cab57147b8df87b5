import { Button } from '@blueprintjs/core'
import { PeopleIcon, PlusIcon } from '@blueprintjs/icons'
import { counted } from '@garantia/shared/format'
import { type Actor, can } from '@garantia/shared/policy'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { NotFound } from '../../../layout/not-found.tsx'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { useDebouncedText } from '../../../ui/table/debounced-text.ts'
import { usePageInRange } from '../../../ui/table/page-in-range.ts'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import { FactorRemoval } from './factor-removal.tsx'
import { UserCard } from './user-card.tsx'
import { userColumns } from './user-columns.tsx'
import { type Subject, UserDialog } from './user-dialog.tsx'
import { UserRemoval } from './user-removal.tsx'
import type { UserRow } from './user-row.ts'
import './users.css'
import type { UsersSearch } from './users-search.ts'

const route = getRouteApi('/app/admin')
const PAGE_SIZE = 10

/** Everyone else gets the «not found» page (D-38). */
const canOpenUsers = (actor: Actor) => can(actor, 'user.change-rights')

export const UsersPage = () => (canOpenUsers(useActor()) ? <Users /> : <NotFound />)

function Users() {
  const { page, search } = route.useSearch()
  const navigate = route.useNavigate()
  const filterBy = (change: Partial<UsersSearch>) =>
    void navigate({
      search: (now) => ({ ...now, page: 1, ...change }),
      replace: change.page === undefined,
    })
  const [typedSearch, setTypedSearch] = useDebouncedText(search, (text) => filterBy({ search: text }))
  const users = trpc.users.list.useQuery(
    { search: search || undefined, skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE },
    {
      placeholderData: keepPreviousData,
      select: ({ data, count }) => ({ items: data, total: count }),
    },
  )
  const total = users.data?.total ?? 0
  usePageInRange(
    page,
    users.data && !users.isPlaceholderData ? Math.max(1, Math.ceil(total / PAGE_SIZE)) : undefined,
    (last) => void navigate({ search: (now) => ({ ...now, page: last }), replace: true }),
  )

  const actor = useActor()
  const [subject, setSubject] = useState<Subject | null>(null)
  const [userToDelete, setUserToDelete] = useState<UserRow | null>(null)
  const [userToUnlock, setUserToUnlock] = useState<UserRow | null>(null)
  const rowActions = useMemo(
    () => ({ edit: setSubject, remove: setUserToDelete, removeFactors: setUserToUnlock }),
    [],
  )
  const columns = useMemo(() => userColumns(rowActions), [rowActions])
  const edit = (user: UserRow) => {
    if (can(actor, 'user.change', user)) setSubject(user)
  }
  const remove = (user: UserRow) => {
    if (can(actor, 'user.delete', user)) setUserToDelete(user)
  }
  const add = () => setSubject('new')
  useShortcut('r', () => void users.refetch(), { label: 'Atualizar' })
  useShortcut('escape', () => filterBy({ search: '' }), { label: 'Limpar busca', when: () => search !== '' })
  useShortcut('n', add, { label: 'Adicionar Usuário' })
  const hint = useKeyHint()

  return (
    <>
      <PageHeader
        title="Administração de Usuários"
        actions={
          <Button
            intent="primary"
            icon={<PlusIcon />}
            text="Adicionar Usuário"
            {...hint('Adicionar Usuário', 'n')}
            onClick={add}
          />
        }
      />
      <search className="toolbar">
        <SearchBox
          label="Buscar usuários"
          placeholder="Buscar por nome, email ou CPF"
          value={typedSearch}
          isPending={typedSearch.trim() !== search || users.isPending || users.isPlaceholderData}
          onChange={setTypedSearch}
        />
        <span className="toolbar-count numeric" role="status">
          {users.data && counted(total, 'usuário', 'usuários')}
        </span>
      </search>
      <DataTable
        label="Usuários"
        query={users}
        columns={columns}
        card={(user) => <UserCard user={user} actions={rowActions} />}
        onOpen={edit}
        rowKeys={[
          { keys: 'e', label: 'Editar', act: edit },
          { keys: 'delete', label: 'Excluir', act: remove },
        ]}
        page={page}
        pageSize={PAGE_SIZE}
        total={total}
        onPage={(next) => filterBy({ page: next })}
        errorTitle="Erro ao carregar usuários"
        empty={
          <div className="panel">
            <EmptyState
              icon={<PeopleIcon size={20} />}
              title="Nenhum usuário encontrado"
              action={
                search !== '' && <Button text="Limpar busca" onClick={() => filterBy({ search: '' })} />
              }
            >
              {search !== '' && 'Nenhum corresponde à busca.'}
            </EmptyState>
          </div>
        }
      />
      <UserDialog subject={subject} onClose={() => setSubject(null)} />
      <UserRemoval user={userToDelete} onClose={() => setUserToDelete(null)} />
      <FactorRemoval user={userToUnlock} onClose={() => setUserToUnlock(null)} />
    </>
  )
}
