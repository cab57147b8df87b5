import { Button, ProgressBar } from '@blueprintjs/core'
import {
  ChevronDownIcon,
  ChevronUpIcon,
  CloudUploadIcon,
  CrossIcon,
  OfflineIcon,
  PauseIcon,
  PlayIcon,
  TickCircleIcon,
  WarningSignIcon,
} from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { useAnnouncement } from '../../../ui/feedback/announcement.ts'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { useTitlePrefix } from '../../../ui/page/document-title.ts'
import { byOrder, isOver, mayPassLater, type UploadItem, type UploadOrder } from './upload-item.ts'
import { UploadList } from './upload-list.tsx'
import {
  endingQuestion,
  progressAnnouncement,
  trayLine,
  trayTitle,
  urgencyOf,
  waitingNote,
} from './upload-messages.ts'
import { byUrgency, summaryOf, type UploadSummary } from './upload-summary.ts'
import { uploads } from './uploads.ts'
import './upload.css'
import './upload-notifications.ts'
import './upload-tray.css'

/** Time to read the result before a fully successful tray closes itself. */
const GONE_AFTER_MS = 10_000

/** Progress of all uploads, shown in the corner of every page. */
export function UploadTray() {
  const all = useSyncExternalStore(uploads.subscribe, uploads.items)
  const items = all.filter(({ state }) => state !== 'chosen')
  const summary = summaryOf(items)
  const isBusy = summary.under_way > 0
  const announcement = useAnnouncement(progressAnnouncement(summary), urgencyOf(summary))
  useTitlePrefix(isBusy ? `↑ ${percentOf(summary)} % · ` : '')
  useBeforeUnloadWarning(isBusy || summary.paused > 0)
  useAutoDismiss(items)

  return (
    <>
      <span className="visually-hidden" role="status">
        {items.length > 0 && announcement}
      </span>
      {items.length > 0 && <Tray items={items} summary={summary} />}
    </>
  )
}

function Tray({ items, summary }: { items: readonly UploadItem[]; summary: UploadSummary }) {
  const [isOpen, setIsOpen] = useState(false)
  const [asksToEnd, setAsksToEnd] = useState(false)
  const body = useId()
  const frame = useTrayHeight()
  const { under_way, paused, failed } = summary
  const orders = ordersOf(items)
  const hasMore = under_way + paused > 0
  // What its order may take another day goes when somebody removes it by itself.
  const isClearable = items.some((item) => isOver(item) && !mayPassLater(item))
  const question = endingQuestion(summary)
  const note = waitingNote(items, isForgetful())
  return (
    <section ref={frame} className="upload-tray" aria-label="Envios">
      <div className="upload-tray-top">
        <button
          type="button"
          className="upload-tray-toggle"
          aria-expanded={isOpen}
          aria-controls={body}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Sign summary={summary} />
          <span className="upload-tray-text">
            <strong>{trayTitle(summary)}</strong>
            <span className="numeric clip">{trayLine(summary)}</span>
          </span>
          {isOpen ? <ChevronDownIcon aria-hidden="true" /> : <ChevronUpIcon aria-hidden="true" />}
        </button>
        {under_way > 0 && (
          <Button
            variant="minimal"
            icon={<PauseIcon />}
            aria-label="Pausar todos os envios"
            title="Pausar"
            onClick={() => uploads.pause()}
          />
        )}
        {under_way === 0 && paused + failed > 0 && (
          <Button
            variant="minimal"
            icon={<PlayIcon />}
            aria-label="Continuar todos os envios"
            title="Continuar"
            onClick={() => uploads.resume()}
          />
        )}
        {!hasMore && failed === 0 && isClearable && (
          <Button
            variant="minimal"
            icon={<CrossIcon />}
            aria-label="Limpar envios concluídos"
            title="Limpar concluídos"
            onClick={() => uploads.clearDone()}
          />
        )}
      </div>
      {note && <p className="upload-tray-note">{note}</p>}
      {hasMore && (
        <ProgressBar
          className="upload-tray-bar"
          value={shareOf(summary)}
          animate={false}
          stripes={false}
          aria-label="Envio de todos os arquivos"
        />
      )}
      <div id={body} hidden={!isOpen} className="upload-tray-body">
        {isOpen &&
          orders.map((order) => (
            <OrderFiles key={order.id} order={order} items={items} isOnly={orders.length === 1} />
          ))}
        <div className="upload-tray-foot">
          <Button
            size="small"
            variant="minimal"
            text="Limpar concluídos"
            disabled={!isClearable}
            onClick={() => uploads.clearDone()}
          />
          <Button
            size="small"
            variant="minimal"
            text="Cancelar todos"
            disabled={!hasMore && failed === 0}
            onClick={() => setAsksToEnd(true)}
          />
        </div>
      </div>
      <ConfirmDialog
        isOpen={asksToEnd}
        title={question.title}
        confirmText={question.confirm}
        cancelText={question.cancel}
        onCancel={() => setAsksToEnd(false)}
        onConfirm={() => {
          setAsksToEnd(false)
          uploads.cancel()
        }}
      >
        {question.text}
      </ConfirmDialog>
    </section>
  )
}

interface OrderProps {
  order: UploadOrder
  items: readonly UploadItem[]
  isOnly: boolean
}
const OrderFiles = ({ order, items, isOnly }: OrderProps) => {
  const own = items.filter(byOrder(order.id))
  return (
    <>
      <h2 className="upload-tray-order">
        <Link to="/os/$id" params={{ id: order.id }} search={{ tab: 'evidencias' }}>
          OS {order.os_number}
        </Link>
        {!isOnly && <span className="muted numeric">{trayLine(summaryOf(own))}</span>}
      </h2>
      <UploadList label={`Envios da OS ${order.os_number}`} items={byUrgency(own)} />
    </>
  )
}

function Sign({ summary: { under_way, paused, offline, refused, failed } }: { summary: UploadSummary }) {
  if (offline > 0) return <OfflineIcon className="is-warning" aria-hidden="true" />
  if (under_way + paused > 0) return <CloudUploadIcon aria-hidden="true" />
  if (refused + failed > 0) return <WarningSignIcon className="is-warning" aria-hidden="true" />
  return <TickCircleIcon className="is-success" aria-hidden="true" />
}

/** An iPhone or iPad whose browser shows this page: installed, as on all other devices, what is kept stays. */
const isForgetful = () =>
  'standalone' in navigator && navigator.standalone === false && navigator.maxTouchPoints > 0

const shareOf = ({ loaded, bytes }: UploadSummary) => (bytes === 0 ? 0 : loaded / bytes)
const percentOf = (summary: UploadSummary) => Math.floor(shareOf(summary) * 100)

function ordersOf(items: readonly UploadItem[]) {
  const orders = new Map(items.map(({ order }) => [order.id, order]))
  return [...orders.values()]
}

/** Leaving the page would abort the uploads. */
function useBeforeUnloadWarning(isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}

/** Clears the tray when all files were sent, but not while it is hovered or focused. */
function useAutoDismiss(items: readonly UploadItem[]) {
  const isAllSent =
    items.length > 0 && items.every(({ state }) => state === 'sent' || state === 'already_there')
  useEffect(() => {
    if (!isAllSent) return
    const leave = () => {
      if (!document.querySelector('.upload-tray:is(:hover, :focus-within)')) return uploads.clearDone()
      timer = setTimeout(leave, GONE_AFTER_MS)
    }
    let timer = setTimeout(leave, GONE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isAllSent])
}

/** Publishes the tray's height as a CSS variable, so that toasts and page content stay above it. */
function useTrayHeight() {
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      style.setProperty('--tray-height', `${frame.current?.offsetHeight ?? 0}px`)
    })
    if (frame.current) observer.observe(frame.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--tray-height')
    }
  }, [])
  return frame
}
