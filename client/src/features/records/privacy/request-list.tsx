import { Button } from '@blueprintjs/core'
import { DownloadIcon } from '@blueprintjs/icons'
import { bytes, counted, dateTime } from '@garantia/shared/format'
import {
  isUnderWay,
  type PrivacyRequest,
  REQUEST_KIND,
  REQUEST_STATUS,
  SUBJECT_KEY,
} from '@garantia/shared/privacy/subject'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadingPanel } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'

const WATCH_EVERY_MS = 1_500

/** What was asked for, with its progress; read again while something is under way. */
export function RequestList() {
  const { data, error, refetch } = trpc.privacy.requests.useQuery(undefined, {
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => isUnderWay(status)) ? WATCH_EVERY_MS : false,
  })
  if (error && !data)
    return <ErrorState title="Erro ao carregar os pedidos" error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingPanel />
  if (data.length === 0) return null
  return (
    <section className="panel subject" aria-label="Pedidos">
      <h2 className="subject-head">Pedidos</h2>
      <ul className="subject-orders">
        {data.map((request) => (
          <li key={request.id}>
            <Request request={request} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Request({ request }: { request: PrivacyRequest }) {
  const {
    kind,
    status,
    searched_by,
    pseudonym,
    orders,
    progress,
    actor_name,
    created_at,
    error,
    size,
    available_until,
    is_downloadable,
  } = request
  const address = trpc.privacy.address.useMutation({
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const { press, isBusy } = usePress(() => address.mutateAsync({ id: request.id }))
  return (
    <>
      <strong>
        {REQUEST_KIND[kind]}: {REQUEST_STATUS[status]}
      </strong>
      <span className="muted numeric">
        {`por ${SUBJECT_KEY[searched_by]} · ${counted(orders, 'OS', 'OS')} · ${dateTime(created_at)} · ${actor_name}`}
      </span>
      {isUnderWay(status) && <progress max={100} value={progress} aria-label={`${progress} %`} />}
      {status === 'done' && kind === 'anonymise' && <span className="numeric">{pseudonym}</span>}
      {status === 'done' && kind === 'export' && (
        <span className="muted numeric">
          {available_until && size !== null
            ? `${bytes(size)} · Disponível até ${dateTime(available_until)}`
            : 'Arquivo expirado'}
        </span>
      )}
      {is_downloadable && <Button icon={<DownloadIcon />} text="Baixar" loading={isBusy} onClick={press} />}
      {error && <span>{error}</span>}
    </>
  )
}
