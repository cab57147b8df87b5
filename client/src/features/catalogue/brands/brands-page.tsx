import { Button, Callout } from '@blueprintjs/core'
import { DocumentIcon, ExportIcon, ImportIcon, PlusIcon, RefreshIcon, TagIcon } from '@blueprintjs/icons'
import type { BrandView } from '@garantia/shared/brands/schema'
import { counted } from '@garantia/shared/format'
import { can } from '@garantia/shared/policy'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { MenuButton } from '../../../ui/overlay/menu-button.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import './brands.css'
import { usePress } from '../../../ui/press.ts'
import { type BrandActions, BrandCard, BrandCardSkeleton } from './brand-card.tsx'
import { BrandDrawer } from './brand-drawer.tsx'
import { saveBrandFile } from './brand-file.ts'

const route = getRouteApi('/app/brands')
/** Asked for at once, behind what the page shows. */
const NewBrandDialog = lazy(async () => ({ default: (await import('./new-brand.tsx')).NewBrandDialog }))
const BrandSwitch = lazy(async () => ({ default: (await import('./brand-switch.tsx')).BrandSwitch }))
const BrandImport = lazy(async () => ({ default: (await import('./brand-import.tsx')).BrandImport }))

export function BrandsPage() {
  const brands = trpc.brands.list.useQuery()
  const list = brands.data?.data
  const mayEdit = can(useActor(), 'brand.change')
  const { regras, exigir } = route.useSearch()
  const [chosen, setEdited] = useState<BrandView | null>(null)
  // The address keeps the proposal: a navigation here would ask about what is not saved a second time.
  const [isDismissed, setIsDismissed] = useState(false)
  const proposed =
    mayEdit && regras !== undefined && !isDismissed ? list?.find(({ id }) => id === regras) : undefined
  const edited = chosen ?? proposed ?? null
  const closeRules = () => {
    setEdited(null)
    setIsDismissed(true)
  }
  const [switched, setSwitched] = useState<BrandView | null>(null)
  /** The brand whose rules a new one copies; undefined for none. */
  const [opening, setOpening] = useState<{ from: BrandView | undefined } | null>(null)
  const [isImporting, setIsImporting] = useState(false)
  const [wasImporting, setWasImporting] = useState(false)
  if (isImporting && !wasImporting) setWasImporting(true)
  const actions: BrandActions = {
    edit: setEdited,
    copy: (from) => setOpening({ from }),
    exportRules: (brand) => saveBrandFile([brand]),
    toggle: setSwitched,
  }
  return (
    <>
      <PageHeader
        title="Marcas e Configurações"
        subtitle={list && list.length > 0 ? counted(list.length, 'marca', 'marcas') : undefined}
        actions={
          <>
            {mayEdit && (
              <MenuButton
                isDisabled={!list}
                label="Regras em arquivo"
                items={[
                  { text: 'Importar regras…', icon: <ImportIcon />, onClick: () => setIsImporting(true) },
                  {
                    text: 'Exportar todas',
                    icon: <ExportIcon />,
                    isDisabled: !list?.length,
                    onClick: () => saveBrandFile(list ?? []),
                  },
                ]}
              >
                <Button icon={<DocumentIcon />} text="Arquivo" disabled={!list} />
              </MenuButton>
            )}
            <Button
              icon={<RefreshIcon />}
              text="Atualizar"
              loading={brands.isFetching && !brands.isPending}
              onClick={() => void brands.refetch()}
            />
            {mayEdit && (
              <Button
                intent={list?.length === 0 ? 'none' : 'primary'}
                disabled={!list}
                icon={<PlusIcon />}
                text="Nova marca"
                onClick={() => setOpening({ from: undefined })}
              />
            )}
          </>
        }
      />
      {brands.error && !list ? (
        <ErrorState
          title="Erro ao carregar marcas"
          error={brands.error}
          onRetry={() => void brands.refetch()}
        />
      ) : !list ? (
        <Delayed>
          <div className="brand-grid">
            {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
              <BrandCardSkeleton key={key} />
            ))}
          </div>
        </Delayed>
      ) : list.length === 0 ? (
        <NoBrands />
      ) : (
        <ul className="brand-grid">
          {list.map((brand) => (
            <BrandCard key={brand.id} brand={brand} actions={mayEdit ? actions : undefined} />
          ))}
        </ul>
      )}
      <BrandDrawer brand={edited} asked={proposed && !chosen ? exigir : undefined} onClose={closeRules} />
      <Suspense fallback={null}>
        <BrandSwitch brand={switched} onClose={() => setSwitched(null)} />
        <NewBrandDialog
          opening={opening}
          brands={list ?? []}
          onClose={() => setOpening(null)}
          onOpened={setEdited}
        />
        {wasImporting && <BrandImport isOpen={isImporting} onClose={() => setIsImporting(false)} />}
      </Suspense>
    </>
  )
}

function NoBrands() {
  const isAllowed = can(useActor(), 'brand.initialize')
  const utils = trpc.useUtils()
  const initialize = trpc.brands.initialize.useMutation({
    onSuccess: ({ brands_created, companies_created }) => {
      const made = [
        counted(brands_created, 'marca criada', 'marcas criadas'),
        counted(companies_created, 'empresa criada', 'empresas criadas'),
      ]
      toast.success({ title: 'Marcas inicializadas', description: made.join(' · ') })
      return utils.invalidate()
    },
    onError: (error) =>
      toast.error({
        title: 'Erro ao inicializar marcas',
        description: messageOf(error, 'Erro desconhecido'),
      }),
  })
  const { press, isBusy } = usePress(() => initialize.mutateAsync())
  return (
    <div className="panel">
      <EmptyState
        icon={<TagIcon size={20} />}
        title="Nenhuma marca cadastrada"
        action={
          isAllowed && (
            <Button
              intent="primary"
              icon={<PlusIcon />}
              text="Inicializar Marcas"
              loading={isBusy}
              onClick={press}
            />
          )
        }
      >
        <Callout compact intent="none" className="brand-notice">
          {isAllowed
            ? 'Inicialize as marcas para começar: elas chegam com limites de exemplo, que devem ser conferidos com cada montadora.'
            : 'As marcas ainda não foram inicializadas. Peça a um administrador.'}
        </Callout>
      </EmptyState>
    </div>
  )
}
