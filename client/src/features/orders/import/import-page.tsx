import { getRouteApi } from '@tanstack/react-router'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import './import.css'
import { ImportFile } from './import-file.tsx'
import { ImportAnnouncement, ImportSteps } from './import-steps.tsx'

const route = getRouteApi('/app/importar')

/** How often the state of an import is asked for while a worker reads or imports the file. */
const POLL_MS = 1_500

/** Orders from a file of another system: the file, its columns, what would happen, and the import. */
export function ImportPage() {
  const { id } = route.useSearch()
  const navigate = route.useNavigate()
  const found = trpc.orderImports.one.useQuery(
    { id: id ?? 0 },
    {
      enabled: id !== undefined,
      refetchInterval: ({ state }) =>
        state.data?.status === 'reading' || state.data?.status === 'running' ? POLL_MS : false,
    },
  )
  return (
    <>
      <PageHeader
        title="Importar OS"
        subtitle="Ordens de serviço de um arquivo CSV ou XLSX do sistema da concessionária."
        actions={<LinkButton to="/lista-os" text="Lista OS" />}
      />
      <ImportAnnouncement found={id === undefined ? undefined : found.data} />
      {id === undefined ? (
        <ImportFile onReceived={(id) => void navigate({ search: { id } })} />
      ) : found.error && !found.data ? (
        <ErrorState
          title="Erro ao carregar a importação"
          error={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : found.data ? (
        <ImportSteps key={id} found={found.data} onOther={() => void navigate({ search: {} })} />
      ) : (
        <Delayed>
          <div className="panel import-panel" aria-hidden="true">
            {[40, 90, 80, 85].map((width) => (
              <Skeleton key={width} width={width} />
            ))}
          </div>
        </Delayed>
      )}
    </>
  )
}
