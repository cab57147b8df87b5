import { Button, DialogBody, DialogFooter, TextArea } from '@blueprintjs/core'
import { PauseIcon, PlayIcon, RepeatIcon, UploadIcon } from '@blueprintjs/icons'
import type { RequiredCategory } from '@garantia/shared/brands/schema'
import { DESCRIPTION_MAX } from '@garantia/shared/evidence/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { useAnnouncement } from '../../../ui/feedback/announcement.ts'
import { Field } from '../../../ui/form/field.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Modal } from '../../../ui/overlay/modal.tsx'
import { refetchEvidence } from '../evidence-queries.ts'
import { CategorySelect } from '../files/category-select.tsx'
import { FilePicker } from '../files/file-picker.tsx'
import { PackageFitNotice } from '../package/package-fit-notice.tsx'
import { BrandRequirements } from './brand-requirements.tsx'
import { OwnCategory } from './own-category.tsx'
import { byOrder, isOver, type UploadItem } from './upload-item.ts'
import { UploadList } from './upload-list.tsx'
import {
  closeButtonLabel,
  closingQuestion,
  limitWarning,
  progressAnnouncement,
  progressLine,
  urgencyOf,
} from './upload-messages.ts'
import { byUrgency, summaryOf } from './upload-summary.ts'
import { uploads } from './uploads.ts'
import './upload-notifications.ts'

const NONE_REQUIRED: readonly RequiredCategory[] = []

interface Props {
  /** The dialog stays mounted while closed so that focus can return to the element that opened it. */
  isOpen: boolean
  order: OrderView
  /** Blank means no category. */
  category: string
  onCategory: (category: string) => void
  onClose: () => void
  /** Files of the order have arrived. */
  onSent: () => void
}

export function UploadDialog({ isOpen, order, category, onCategory, onClose, onSent }: Props) {
  const { data: rules } = trpc.brands.evidenceRules.useQuery({ id: order.brand_id })
  const { data: present } = trpc.evidence.list.useQuery({ order_id: order.id })
  const brand = order.brand.display_name
  const required = rules?.required_categories ?? NONE_REQUIRED
  const ownCategory = useCallback(
    (item: UploadItem) => <OwnCategory item={item} category={category} brand={brand} required={required} />,
    [category, brand, required],
  )
  const items = useItemsSinceOpened(order.id)
  const summary = summaryOf(items)
  const isSending = summary.under_way > 0
  const [description, setDescription] = useState('')
  const [asksToClose, setAsksToClose] = useState(false)
  const announcement = useAnnouncement(progressAnnouncement(summary), urgencyOf(summary))

  const hasEnded = useEffectEvent(() => {
    if (!isOpen || summary.under_way > 0) return
    setAsksToClose(false)
    if (summary.sent > 0) onSent()
    // Not before the page below shows the files: a key pressed at once would find nothing to act on.
    if (isAllSent(summary)) void refetchEvidence(order.id).then(closeWhenAllSent)
  })
  const closeWhenAllSent = useEffectEvent(() => {
    if (!isOpen || !isAllSent(summary)) return
    // Everything was sent while the dialog was open, so the tray need not report it again.
    uploads.clearDone(byOrder(order.id))
    onClose()
  })
  const wasSending = useRef(false)
  useEffect(() => {
    if (wasSending.current && !isSending) hasEnded()
    wasSending.current = isSending
  }, [isSending])

  const hint = useKeyHint()
  const background = useRef<HTMLButtonElement>(null)
  const send = () => {
    if (!isOpen || summary.unsent === 0) return
    // «Enviar» is about to disappear and would drop the focus, and with it the Escape key.
    background.current?.focus()
    uploads.send(order.id, { category: category || null, description: description || null })
  }

  const requestClose = () => (summary.unsent > 0 ? setAsksToClose(true) : onClose())
  const question = closingQuestion(summary)
  const warning = rules && limitWarning(rules, present?.evidence_files ?? [], items)

  return (
    <>
      <Modal
        isOpen={isOpen}
        title={`Enviar evidências da OS ${order.os_number}`}
        width="wide"
        onClose={requestClose}
      >
        <SendKey onSend={send} />
        <DialogBody className="upload-body">
          <BrandRequirements brand={brand} rules={rules} />
          <div className="form-grid">
            <Field label="Categoria" span={6} help="Dos arquivos sem outra escolhida na lista.">
              {(control) => (
                <CategorySelect
                  control={control}
                  value={category}
                  onChange={onCategory}
                  brand={brand}
                  required={required}
                />
              )}
            </Field>
            <Field label="Descrição" span={6} help={`${description.length} de ${DESCRIPTION_MAX} caracteres`}>
              {(control) => (
                <TextArea
                  {...control}
                  value={description}
                  onChange={({ currentTarget }) => setDescription(currentTarget.value)}
                  maxLength={DESCRIPTION_MAX}
                  rows={2}
                  fill
                />
              )}
            </Field>
          </div>
          <FilePicker
            onFiles={(files) => void uploads.add(order, files)}
            isCompact={items.length > 0}
            hasFocus
          />
          {items.length > 0 && (
            <UploadList label="Arquivos escolhidos" items={byUrgency(items)} beforeSending={ownCategory} />
          )}
          {items.length > 0 && (
            <PackageFitNotice rules={rules} present={present?.evidence_files ?? []} items={items} />
          )}
          <div role="status">{warning && <p className="upload-warning">{warning}</p>}</div>
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button ref={background} text={closeButtonLabel(summary)} onClick={requestClose} />
              {isSending && (
                <Button icon={<PauseIcon />} text="Pausar" onClick={() => uploads.pause(byOrder(order.id))} />
              )}
              {!isSending && summary.paused > 0 && (
                <Button
                  icon={<PlayIcon />}
                  text="Continuar"
                  onClick={() => uploads.resume(byOrder(order.id))}
                />
              )}
              {summary.failed > 0 && !isSending && (
                <Button
                  icon={<RepeatIcon />}
                  text="Tentar novamente"
                  onClick={() => uploads.resume(byOrder(order.id))}
                />
              )}
              {!(isSending && summary.unsent === 0) && (
                <Button
                  intent="primary"
                  icon={<UploadIcon />}
                  text="Enviar"
                  disabled={summary.unsent === 0}
                  {...hint('Enviar', 'mod+enter')}
                  onClick={send}
                />
              )}
            </>
          }
        >
          <span className="upload-progress numeric">{progressLine(summary)}</span>
          <span className="visually-hidden" role="status">
            {summary.total > summary.unsent && announcement}
          </span>
        </DialogFooter>
      </Modal>
      <ConfirmDialog
        isOpen={isOpen && asksToClose}
        title={question.title}
        confirmText={question.confirm}
        cancelText={question.cancel}
        onConfirm={onClose}
        onCancel={() => setAsksToClose(false)}
      >
        {question.text}
      </ConfirmDialog>
    </>
  )
}

const isAllSent = ({ sent, total }: { sent: number; total: number }) => total > 0 && sent === total

/** Items of this order without those already finished when the dialog opened, which the tray reports. */
function useItemsSinceOpened(order_id: number) {
  const items = useSyncExternalStore(uploads.subscribe, uploads.items)
  const [before] = useState(() => new Set(items.filter(isOver).map(({ key }) => key)))
  return items.filter((item) => item.order.id === order_id && !before.has(item.key))
}

/** A component inside the dialog, so that the shortcut belongs to the dialog's key layer. */
function SendKey({ onSend }: { onSend: () => void }) {
  useShortcut('mod+enter', onSend, { worksInFields: true, label: 'Enviar' })
  return null
}
