import { Callout } from '@blueprintjs/core'
import { CloudUploadIcon } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useActor } from '../../../lib/actor.ts'
import { readSharedFiles } from '../../../lib/shared-files.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadingPanel } from '../../../ui/feedback/skeleton.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { ConfirmShared } from './confirm-shared.tsx'
import { OrderChoice } from './order-choice.tsx'
import { ReceivedFiles } from './received-files.tsx'
import './share.css'

const route = getRouteApi('/app/compartilhar')

/** Why files that were shared are not here. */
const LOST: Partial<Record<string, string>> = {
  espaco: 'Os arquivos não couberam neste aparelho. Libere espaço ou compartilhe menos arquivos por vez.',
  site: 'Um site tentou pôr arquivos aqui e foi recusado. Para enviar fotos, compartilhe-as de um app deste aparelho.',
  app: 'Os arquivos não chegaram: o Garantia ainda se preparava neste aparelho. Compartilhe de novo.',
}

/** Files from the gallery or another app, and the order that they are for. */
export function SharePage() {
  const { erro = '' } = route.useSearch()
  const actor = useActor()
  const person = actor.kind === 'user' ? actor.id : 0
  const received = useQuery({
    queryKey: ['shared-files', person],
    queryFn: () => readSharedFiles(person),
    enabled: person !== 0,
    gcTime: 0,
  })
  const { data: files, error, refetch } = received
  return (
    <>
      <PageHeader title="Enviar para uma OS" />
      <div className="share">
        {LOST[erro] && (
          <Callout intent="warning" role="alert">
            {LOST[erro]}
          </Callout>
        )}
        {error ? (
          <div className="panel">
            <ErrorState
              title="Erro ao ler os arquivos recebidos"
              message="O navegador não abriu o que guarda neste aparelho."
              onRetry={() => void refetch()}
            />
          </div>
        ) : !files ? (
          <LoadingPanel />
        ) : files.length === 0 ? (
          <div className="panel">
            <EmptyState icon={<CloudUploadIcon size={20} />} title="Nenhum arquivo recebido">
              <p>
                Na galeria ou no mensageiro, escolha fotos, vídeos ou PDFs, toque em compartilhar e depois em
                Garantia.
              </p>
              <p>Em celulares Android, o Garantia aparece ali depois de instalado na tela inicial.</p>
            </EmptyState>
          </div>
        ) : (
          <>
            <ReceivedFiles files={files} onRemoved={() => refetch()} />
            {files.some(({ isConfirmed }) => !isConfirmed) ? (
              <ConfirmShared files={files} person={person} onDecided={() => refetch()} />
            ) : (
              <OrderChoice files={files} />
            )}
          </>
        )}
      </div>
    </>
  )
}
