import { Callout, Spinner } from '@blueprintjs/core'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { EVIDENCE_CATEGORY, type EvidenceCategory } from '@garantia/shared/evidence/category'
import { UPLOAD_ACCEPT } from '@garantia/shared/evidence/formats'
import { GUEST_SHOWN, GUEST_SHOWN_NAMES, type GuestView } from '@garantia/shared/evidence/guest-link'
import { bytes, counted, dateTime } from '@garantia/shared/format'
import { CLOSED_ORDER } from '@garantia/shared/orders/status'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { useDocumentTitle } from '../../../ui/page/document-title.ts'
import { lazyTransport } from '../upload/lazy-transport.ts'
import { isUnderWay } from '../upload/upload-item.ts'
import { createUploadQueue } from '../upload/upload-queue.ts'
import { guestHeaders, readGuest } from './guest-calls.ts'
import { GuestCategory } from './guest-category.tsx'
import './guest.css'

/** How soon what the worker makes of a photo is asked for, and for how long: of a document it makes none. */
const AGAIN_MS = 3_000
const ASKED_FOR_MS = 120_000
const isAwaited = ({ has_thumbnail, uploaded_at }: GuestView['files'][number]) =>
  !has_thumbnail && Date.now() - Date.parse(uploaded_at) < ASKED_FOR_MS

/** Where the link for photos leads: no account, one order, the categories that its maker chose. */
export function GuestPage() {
  useDocumentTitle('Envio de fotos')
  const token = useHash()
  return <Guest key={token} token={token} />
}

/** The part of the address behind «#», also when another link is opened in this tab. */
const useHash = () =>
  useSyncExternalStore(
    (listener) => {
      window.addEventListener('hashchange', listener)
      return () => window.removeEventListener('hashchange', listener)
    },
    () => location.hash.slice(1),
  )

function Guest({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['guest', token],
    queryFn: () => readGuest(token),
    refetchInterval: ({ state }) => (state.data?.files.some(isAwaited) ? AGAIN_MS : false),
  })
  if (data) return <Sending token={token} view={data} onArrived={() => void refetch()} />
  return (
    <main className="standalone-page">
      {error ? (
        <ErrorState title="Este link não abre" error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner aria-label="Carregando" />
      )}
    </main>
  )
}

interface Props {
  token: string
  view: GuestView
  onArrived: () => void
}
function Sending({ token, view, onArrived }: Props) {
  const [queue] = useState(() => {
    const own = createUploadQueue(
      lazyTransport({ path: '/guest/uploads', headers: () => guestHeaders(token) }),
    )
    own.setOwner(NOBODY)
    return own
  })
  const items = useSyncExternalStore(queue.subscribe, queue.items)
  const tellArrived = useEffectEvent(onArrived)
  const arrived = items.filter(({ state }) => state === 'sent').length
  useEffect(() => {
    if (arrived > 0) tellArrived()
  }, [arrived])
  const isSending = items.some(isUnderWay)
  useEffect(() => {
    window.addEventListener('online', queue.retryNow)
    return () => window.removeEventListener('online', queue.retryNow)
  }, [queue])
  useEffect(() => {
    if (!isSending) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isSending])
  const send = (category: EvidenceCategory, files: Iterable<File>) => {
    queue.add(NO_ORDER, files)
    queue.send(NO_ORDER.id, { category, description: null })
  }
  const isFull = view.files_left === 0
  const next = view.categories.find(
    (one) =>
      view.files.every(({ category }) => category !== one) &&
      items.every(({ fields }) => fields.category !== one),
  )
  return (
    <main className="guest">
      <header className="guest-head">
        <div className="guest-name">
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <div>
            <h1>Envio de fotos</h1>
            <p className="muted">Para: {view.label}</p>
          </div>
        </div>
        <OrderFacts order={view.order} />
        <p className="muted">
          {isFull
            ? 'Este link já recebeu todos os arquivos que podia.'
            : `Restam ${counted(view.files_left, 'arquivo', 'arquivos')} e ${bytes(view.bytes_left)}.`}{' '}
          O link vale até {dateTime(view.expires_at)}.
        </p>
        {view.is_closed && <Callout compact>{CLOSED_ORDER}.</Callout>}
        <div role="status">
          {isSending && (
            <Callout compact intent="primary">
              Enviando. Deixe esta página aberta até o fim.
            </Callout>
          )}
        </div>
      </header>
      {view.categories.map((category) => (
        <GuestCategory
          key={category}
          token={token}
          category={category}
          label={EVIDENCE_CATEGORY[category]}
          accept={UPLOAD_ACCEPT}
          files={view.files.filter((file) => file.category === category)}
          items={items.filter(({ fields, state }) => fields.category === category && state !== 'sent')}
          queue={queue}
          isNext={category === next}
          onFiles={view.is_closed || isFull ? null : (files) => send(category, files)}
        />
      ))}
    </main>
  )
}
/** The queue is of one page and one link: neither a person nor an order has to be told from others. */
const NOBODY = 0
const NO_ORDER = { id: 0, os_number: '' }

function OrderFacts({ order }: Pick<GuestView, 'order'>) {
  const facts = GUEST_SHOWN_NAMES.flatMap((name) => {
    const value = order[name]
    return value
      ? [{ label: GUEST_SHOWN[name], value: name === 'vehicle_plate' ? formatPlate(value) : value }]
      : []
  })
  if (facts.length === 0) return null
  return (
    <dl className="guest-order">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
