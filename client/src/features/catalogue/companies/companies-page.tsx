import { Button, HTMLSelect } from '@blueprintjs/core'
import { PlusIcon } from '@blueprintjs/icons'
import type { CompanyView } from '@garantia/shared/companies/schema'
import { counted } from '@garantia/shared/format'
import { can } from '@garantia/shared/policy'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { useDebouncedText } from '../../../ui/table/debounced-text.ts'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import './companies.css'
import { type CompaniesSearch, NO_COMPANY_FILTER } from './companies-search.ts'
import { CompanyCard } from './company-card.tsx'
import { companyColumns } from './company-columns.tsx'
import { CompanyDialog, type Subject } from './company-dialog.tsx'
import { CompanyRemoval } from './company-removal.tsx'
import { NoCompanies } from './no-companies.tsx'

const route = getRouteApi('/app/companies')
const PAGE_SIZE = 10

export function CompaniesPage() {
  const { page, search, type, is_active } = route.useSearch()
  const navigate = route.useNavigate()
  const filterBy = (change: Partial<CompaniesSearch>) =>
    void navigate({
      search: (now) => ({ ...now, page: 1, ...change }),
      replace: change.page === undefined,
    })
  const [typedSearch, setTypedSearch] = useDebouncedText(search, (text) => filterBy({ search: text }))
  const companies = useCompanies({ page, search, type, is_active })
  const isFiltered = search !== '' || type !== '' || is_active !== ''

  const actor = useActor()
  const mayOpen = can(actor, 'company.open')
  const [subject, setSubject] = useState<Subject | null>(null)
  const [companyToDelete, setCompanyToDelete] = useState<CompanyView | null>(null)
  const rowActions = useMemo(
    () => ({ edit: ({ id }: CompanyView) => setSubject(id), remove: setCompanyToDelete }),
    [],
  )
  const columns = useMemo(() => companyColumns(rowActions), [rowActions])
  const edit = (company: CompanyView) => {
    if (can(actor, 'company.change', company)) rowActions.edit(company)
  }
  const add = () => setSubject('new')
  const mayChangeAny = companies.data?.items.some((one) => can(actor, 'company.change', one)) === true
  const remove = (company: CompanyView) => {
    if (can(actor, 'company.delete')) setCompanyToDelete(company)
  }
  const typeSelect = useRef<HTMLSelectElement>(null)
  useShortcut('r', () => void companies.refetch(), { label: 'Atualizar' })
  useShortcut('f', () => typeSelect.current?.focus(), { label: 'Filtros', scope: 'table' })
  useShortcut('escape', () => filterBy(NO_COMPANY_FILTER), {
    label: 'Limpar filtros',
    when: () => isFiltered,
  })
  useShortcut('n', add, { isEnabled: mayOpen, label: 'Adicionar Empresa' })
  const hint = useKeyHint()

  return (
    <>
      <PageHeader
        title="Gestão de Empresas"
        actions={
          mayOpen && (
            <Button
              intent="primary"
              icon={<PlusIcon />}
              text="Adicionar Empresa"
              {...hint('Adicionar Empresa', 'n')}
              onClick={add}
            />
          )
        }
      />
      <search className="toolbar">
        <SearchBox
          label="Buscar empresas"
          placeholder="Buscar por nome, razão social ou CNPJ"
          value={typedSearch}
          isPending={typedSearch.trim() !== search || companies.isPending || companies.isPlaceholderData}
          onChange={setTypedSearch}
        />
        <HTMLSelect
          ref={typeSelect}
          aria-label="Tipo"
          {...hint('Tipo', 'f')}
          value={type}
          onChange={(event) => filterBy({ type: event.currentTarget.value as CompaniesSearch['type'] })}
        >
          <option value="">Todos os tipos</option>
          <option value="matriz">Matriz</option>
          <option value="filial">Filial</option>
        </HTMLSelect>
        <HTMLSelect
          aria-label="Situação"
          value={is_active}
          onChange={(event) =>
            filterBy({ is_active: event.currentTarget.value as CompaniesSearch['is_active'] })
          }
        >
          <option value="">Ativas e inativas</option>
          <option value="true">Ativas</option>
          <option value="false">Inativas</option>
        </HTMLSelect>
        <span className="toolbar-count numeric" role="status">
          {companies.data && counted(companies.data.total, 'empresa', 'empresas')}
        </span>
      </search>
      <DataTable
        label="Empresas"
        query={companies}
        columns={columns}
        card={(company) => <CompanyCard company={company} actions={rowActions} />}
        onOpen={mayChangeAny ? edit : undefined}
        rowKeys={[
          ...(mayChangeAny ? [{ keys: 'e', label: 'Editar', act: edit }] : []),
          ...(can(actor, 'company.delete') ? [{ keys: 'delete', label: 'Excluir', act: remove }] : []),
        ]}
        page={page}
        pageSize={PAGE_SIZE}
        paging="steps"
        total={companies.data?.total ?? 0}
        onPage={(next) => filterBy({ page: next })}
        errorTitle="Erro ao carregar empresas"
        empty={
          <NoCompanies
            isPastEnd={page > 1}
            isFiltered={isFiltered}
            onFirstPage={() => filterBy({ page: 1 })}
            onClear={() => filterBy(NO_COMPANY_FILTER)}
            onAdd={mayOpen ? add : null}
          />
        }
      />
      <CompanyDialog subject={subject} onClose={() => setSubject(null)} />
      <CompanyRemoval company={companyToDelete} onClose={() => setCompanyToDelete(null)} />
    </>
  )
}

/** The requested page of companies; prefetches the next page when this one is full (COMP-14). */
function useCompanies({ page, search, type, is_active }: CompaniesSearch) {
  const inputOf = (number: number) => ({
    search: search || undefined,
    type: type || undefined,
    is_active: is_active === '' ? undefined : is_active === 'true',
    skip: (number - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  })
  const utils = trpc.useUtils()
  const companies = trpc.companies.list.useQuery(inputOf(page), {
    placeholderData: keepPreviousData,
    select: ({ data, count }) => ({ items: data, total: count }),
  })
  const isFull = !companies.isPlaceholderData && companies.data?.items.length === PAGE_SIZE
  // biome-ignore lint/correctness/useExhaustiveDependencies: inputOf only depends on the filters listed here
  useEffect(() => {
    if (isFull) void utils.companies.list.prefetch(inputOf(page + 1))
  }, [isFull, page, search, type, is_active])
  return companies
}
