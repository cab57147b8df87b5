import { Button, ProgressBar } from '@blueprintjs/core'
import { ArchiveIcon, DownloadIcon } from '@blueprintjs/icons'
import { DOSSIER_PART, type DossierPart, type DossierView, isUnderWay } from '@garantia/shared/dossier/schema'
import { bytes, counted, dateTime } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { EXPIRED_FILE } from '@garantia/shared/retention/rules'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { download } from '../../../lib/files.ts'
import { pollInterval } from '../../../lib/live-order.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'
import './dossier.css'

const WATCH_EVERY_MS = 3_000

/** The sealed versions of an order's evidence, and the button that builds the next one. */
export function DossierPanel({ order }: { order: Pick<OrderView, 'id' | 'os_number'> }) {
  const order_id = order.id
  const utils = trpc.useUtils()
  const titleId = useId()
  const { data, error, refetch } = trpc.dossier.list.useQuery(
    { order_id },
    {
      refetchInterval: ({ state }) =>
        (state.data?.data.some(({ status }) => isUnderWay(status)) ?? false) &&
        pollInterval(order_id, WATCH_EVERY_MS),
    },
  )
  const build = trpc.dossier.build.useMutation({
    onSuccess: ({ n }) =>
      toast.success({ title: 'Dossiê em preparação', description: `Versão ${n} da OS ${order.os_number}` }),
    onError: (error) => toast.error({ title: 'Erro ao gerar dossiê', description: messageOf(error) }),
    onSettled: () => utils.dossier.list.invalidate({ order_id }),
  })
  const { press, isBusy } = usePress(() => build.mutateAsync({ order_id }))
  const isBuilding = data?.data.some(({ status }) => isUnderWay(status)) ?? false
  return (
    <section className="dossier panel" aria-labelledby={titleId}>
      <div className="dossier-head">
        <h2 id={titleId}>Dossiê</h2>
        <Button
          icon={<ArchiveIcon />}
          text="Gerar dossiê"
          loading={isBusy}
          disabled={!data || isBuilding}
          onClick={press}
        />
      </div>
      {data ? (
        <Versions versions={data.data} />
      ) : error ? (
        <ErrorState title="Erro ao carregar dossiês" error={error} onRetry={() => void refetch()} />
      ) : (
        <Delayed>
          <Skeleton width={60} />
        </Delayed>
      )}
    </section>
  )
}

/** The newest version; earlier ones on request, so that the files stay in sight. */
function Versions({ versions: [newest, ...earlier] }: { versions: readonly DossierView[] }) {
  if (!newest)
    return (
      <p className="muted">
        Nenhuma versão ainda. Cada uma reúne os arquivos convertidos, um relatório e o que prova que nada
        mudou; a conclusão da OS sela uma sozinha.
      </p>
    )
  return (
    <>
      <ul className="dossier-versions" aria-label="Versões do dossiê">
        <Version version={newest} />
      </ul>
      {earlier.length > 0 && (
        <details className="dossier-earlier">
          <summary>{counted(earlier.length, 'versão anterior', 'versões anteriores')}</summary>
          <ul className="dossier-versions" aria-label="Versões anteriores do dossiê">
            {earlier.map((version) => (
              <Version key={version.id} version={version} />
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

const STATE: Record<DossierView['status'], { label: string; colour: 'green' | 'blue' | 'red' }> = {
  queued: { label: 'Na fila', colour: 'blue' },
  building: { label: 'Em preparação', colour: 'blue' },
  sealed: { label: 'Selado', colour: 'green' },
  failed: { label: 'Erro', colour: 'red' },
}

function Version({ version }: { version: DossierView }) {
  const { n, status, progress, error, actor, created_at, sealed_at, timestamp, files, is_purged } = version
  return (
    <li className="dossier-version">
      <div className="dossier-text">
        <strong>Versão {n}</strong>
        <Badge colour={STATE[status].colour}>{STATE[status].label}</Badge>
        <span className="muted numeric">
          {dateTime(sealed_at ?? created_at)} · {actor}
        </span>
        {error && <span className="dossier-error">{error}</span>}
        {timestamp && <Stamp timestamp={timestamp} />}
        {is_purged && <span className="muted">{EXPIRED_FILE}</span>}
        {files.map(({ part, sha256 }) =>
          part === 'zip' ? (
            <code key={part} className="dossier-hash clip" title={`SHA-256 do ZIP: ${sha256}`}>
              {sha256}
            </code>
          ) : null,
        )}
      </div>
      {isUnderWay(status) && (
        <div className="dossier-progress">
          <ProgressBar
            value={progress / 100}
            animate={false}
            stripes={false}
            intent="primary"
            aria-label={`Versão ${n}: ${progress} %`}
          />
          <span className="muted numeric" aria-hidden="true">
            {progress} %
          </span>
        </div>
      )}
      {!is_purged && files.length > 0 && (
        <div className="dossier-files">
          {files.map(({ part, size }) => (
            <PartButton key={part} version={version} part={part} size={size} />
          ))}
        </div>
      )}
    </li>
  )
}

/** Who has confirmed when the dossier existed, or that nobody has yet. */
function Stamp({
  timestamp: { status, stamped_at, authority, error },
}: {
  timestamp: NonNullable<DossierView['timestamp']>
}) {
  if (stamped_at)
    return (
      <span className="muted">
        Carimbo de tempo de {authority} em <span className="numeric">{dateTime(stamped_at)}</span>
      </span>
    )
  const text = status === 'pending' ? 'carimbo pendente' : 'sem carimbo: a autoridade não respondeu'
  return (
    <span className="muted">
      {text}
      {error && `. ${error}`}
    </span>
  )
}

function PartButton({ version, part, size }: { version: DossierView; part: DossierPart; size: number }) {
  const { order_id, n } = version
  const label = `${part === 'tsr' ? 'Carimbo' : part.toUpperCase()} · ${bytes(size)}`
  const save = useMutation({
    mutationFn: () =>
      download(`/service-orders/${order_id}/dossier/${n}/download?part=${part}`, `dossie_${n}.${part}`),
    onError: (error) =>
      toast.error({
        title: 'Erro ao baixar',
        description: messageOf(error, 'Não foi possível baixar o dossiê'),
      }),
  })
  const { press, isBusy } = usePress(() => save.mutateAsync())
  return (
    <Button
      variant={part === 'zip' ? 'solid' : 'minimal'}
      icon={<DownloadIcon />}
      text={label}
      aria-label={`${label}, baixar da versão ${n}`}
      title={DOSSIER_PART[part]}
      loading={isBusy}
      onClick={press}
    />
  )
}
