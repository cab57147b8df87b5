import { AnchorButton, Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { DownloadIcon, MediaIcon } from '@blueprintjs/icons'
import type { PackageArchive } from '@garantia/shared/evidence/archive'
import { ARCHIVE_LIMITS, isBeingBuilt } from '@garantia/shared/evidence/archive-status'
import { bytes, counted, dateTime } from '@garantia/shared/format'
import { useEffect, useRef } from 'react'
import { pollInterval, useLiveOrder } from '../../../../lib/live-order.ts'
import { trpc } from '../../../../lib/trpc.ts'
import { Badge } from '../../../../ui/feedback/badge.tsx'
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../../ui/feedback/toaster.tsx'
import { focusIfOnTitle } from '../../../../ui/overlay/dialog-focus.ts'
import { Modal } from '../../../../ui/overlay/modal.tsx'
import './packages-dialog.css'

/** The poll interval while no notification reports the progress. */
const WATCH_EVERY_MS = 1_500
/** Numbers shown before «e mais …». */
const MOST_NUMBERS = 8

interface Props {
  isOpen: boolean
  onClose: () => void
}

/** The ZIPs with packages of several orders that this person asked for and that have not expired. */
export function PackagesDialog({ isOpen, onClose }: Props) {
  useFinished(isOpen)
  return (
    <Modal isOpen={isOpen} title="Pacotes de várias OS" width="wide" onClose={onClose}>
      <DialogBody>
        <Archives />
      </DialogBody>
      <DialogFooter actions={<Button text="Fechar" onClick={onClose} />}>
        <span className="muted">Esta janela pode ser fechada: volte a ela por Exportar.</span>
      </DialogFooter>
    </Modal>
  )
}

/** Tells the person who has closed the dialog that what was being made is done. */
function useFinished(isOpen: boolean) {
  const { data } = useArchives()
  const building = useRef<number[]>([])
  useEffect(() => {
    if (!data) return
    const ended = data.data.filter(({ id, status }) => building.current.includes(id) && !isBeingBuilt(status))
    building.current = data.data.filter(({ status }) => isBeingBuilt(status)).map(({ id }) => id)
    if (isOpen) return
    for (const { status, orders, error } of ended)
      if (status === 'ready')
        toast.success({
          title: 'Pacotes prontos',
          description: `${counted(orders.length, 'OS', 'OS')} para baixar em Exportar.`,
        })
      else toast.error({ title: 'Erro ao montar os pacotes', description: error ?? undefined })
  }, [data, isOpen])
}

const useArchives = () =>
  trpc.packages.list.useQuery(undefined, {
    refetchInterval: ({ state }) => {
      const [first] = state.data?.data.find(({ status }) => isBeingBuilt(status))?.orders ?? []
      return first ? pollInterval(first.id, WATCH_EVERY_MS) : false
    },
  })

function Archives() {
  const { data, error, refetch } = useArchives()
  if (!data)
    return error ? (
      <ErrorState title="Erro ao carregar os pacotes" error={error} onRetry={() => void refetch()} />
    ) : (
      <Delayed>
        <Skeleton width={60} />
      </Delayed>
    )
  if (data.data.length === 0)
    return (
      <EmptyState icon={<MediaIcon size={20} />} title="Nenhum pacote pedido">
        Selecione ordens na lista e escolha «Baixar pacotes». O arquivo fica aqui por {ARCHIVE_LIMITS.hours}{' '}
        horas.
      </EmptyState>
    )
  return (
    <>
      <span className="visually-hidden" role="status">
        {announcement(data.data)}
      </span>
      <ul className="packages" aria-label="Pacotes pedidos">
        {data.data.map((archive, index) => (
          <li key={archive.id}>
            <Archive archive={archive} isNewest={index === 0} />
          </li>
        ))}
      </ul>
    </>
  )
}

function announcement([newest]: readonly PackageArchive[]) {
  if (!newest) return ''
  if (newest.status === 'ready') return 'Pacotes prontos para baixar.'
  return newest.status === 'failed' ? 'Os pacotes não puderam ser montados.' : 'Pacotes em preparação.'
}

const STATE: Record<PackageArchive['status'], { label: string; colour: 'green' | 'blue' | 'red' }> = {
  queued: { label: 'Na fila', colour: 'blue' },
  building: { label: 'Em preparação', colour: 'blue' },
  ready: { label: 'Pronto', colour: 'green' },
  failed: { label: 'Erro', colour: 'red' },
}

function Archive({ archive, isNewest }: { archive: PackageArchive; isNewest: boolean }) {
  const { status, progress, error, orders, left_out, size, created_at, expires_at, url } = archive
  const [first] = orders
  return (
    <section className="package-archive" aria-label={`Pedido em ${dateTime(created_at)}`}>
      <div className="package-archive-text">
        <p className="package-archive-title">
          <strong>{counted(orders.length, 'ordem de serviço', 'ordens de serviço')}</strong>
          <Badge colour={STATE[status].colour}>{STATE[status].label}</Badge>
        </p>
        <p className="numeric">{numbersOf(archive)}</p>
        <p className="muted numeric">
          {size !== null && `${bytes(size)} · `}Disponível até {dateTime(expires_at)}
        </p>
        {error && <p className="package-archive-error">{error}</p>}
      </div>
      {isBeingBuilt(status) && (
        <div className="package-archive-progress">
          {first && <Follow order_id={first.id} />}
          <progress max={100} value={progress} aria-label={`Montagem: ${progress} %`} />
          <span className="muted numeric" aria-hidden="true">
            {progress} %
          </span>
        </div>
      )}
      {url && (
        <AnchorButton
          ref={isNewest ? focusIfOnTitle : undefined}
          intent="primary"
          icon={<DownloadIcon />}
          text="Baixar"
          href={url}
          download
        />
      )}
      {left_out.length > 0 && (
        <div className="package-archive-left-out">
          <p>{counted(left_out.length, 'OS ficou de fora:', 'OS ficaram de fora:')}</p>
          <ul className="outcome-list">
            {left_out.map(({ id, os_number, detail }) => (
              <li key={id}>
                <strong className="numeric">OS {os_number ?? `nº ${id}`}</strong>
                <span>{detail}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

/** The progress of an archive is told to the pages that follow its first order. */
function Follow({ order_id }: { order_id: number }) {
  useLiveOrder(order_id)
  return null
}

function numbersOf({ orders }: PackageArchive) {
  const rest = orders.length - MOST_NUMBERS
  const shown = orders.slice(0, MOST_NUMBERS).map(({ os_number }) => os_number)
  return `${shown.join(', ')}${rest > 0 ? ` e mais ${rest}` : ''}`
}
