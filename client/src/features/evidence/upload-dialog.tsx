import { Button, DialogBody, DialogFooter, TextArea } from '@blueprintjs/core'
import { RepeatIcon, UploadIcon } from '@blueprintjs/icons'
import { DESCRIPTION_MAX } from '@garantia/shared/evidence/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useRef, useState, useSyncExternalStore } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Modal } from '../../ui/modal.tsx'
import { useShortcut } from '../../ui/shortcut.ts'
import { toast } from '../../ui/toaster.tsx'
import { BrandRequirements } from './brand-requirements.tsx'
import { CategorySelect } from './category-select.tsx'
import { ChosenFiles } from './chosen-files.tsx'
import { FilePicker } from './file-picker.tsx'
import { PackagePromise } from './package-promise.tsx'
import { isUnderWay, type UploadQueue } from './upload-queue.ts'
import { summaryOf } from './upload-summary.ts'
import {
  closingQuestion,
  closingWord,
  overTheLimit,
  progressLine,
  spokenProgress,
  uploadNews,
} from './upload-words.ts'

interface Props {
  /** Closed it stays mounted, or the focus would not return to where it came from. */
  isOpen: boolean
  order: OrderView
  queue: UploadQueue
  /** Blank is none. */
  category: string
  onCategory: (category: string) => void
  onClose: () => void
  onSent: () => void
}

export function UploadDialog({ isOpen, order, queue, category, onCategory, onClose, onSent }: Props) {
  const utils = trpc.useUtils()
  const { data: rules } = trpc.brands.evidenceRules.useQuery({ id: order.brand_id })
  const { data: present } = trpc.evidence.list.useQuery({ order_id: order.id })
  const items = useSyncExternalStore(queue.subscribe, queue.items)
  const summary = summaryOf(items)
  const isSending = summary.under_way > 0
  const [description, setDescription] = useState('')
  const [asksToClose, setAsksToClose] = useState(false)
  const isUnderWayNow = () => queue.items().some(isUnderWay)
  const leaving = useBlocker({
    shouldBlockFn: isUnderWayNow,
    enableBeforeUnload: isUnderWayNow,
    withResolver: true,
  })

  const follow = useCallback(
    async (sending: Promise<void>) => {
      const before = summaryOf(queue.items())
      await sending
      await utils.evidence.list.invalidate({ order_id: order.id })
      const after = summaryOf(queue.items())
      for (const { kind, ...words } of uploadNews(before, after)) toast[kind](words)
      setAsksToClose(false)
      if (after.sent > before.sent) onSent()
      if (after.total > 0 && after.sent === after.total) onClose()
    },
    [utils, order.id, queue, onSent, onClose],
  )
  const retryOne = useCallback((key: number) => void follow(queue.retry(key)), [follow, queue])
  const stop = useRef<HTMLButtonElement>(null)
  const send = () => {
    if (!isOpen || isSending || summary.unsent === 0) return
    // «Enviar» is disabled now and would drop the focus, and with it the Escape key.
    stop.current?.focus()
    void follow(queue.send({ category: category || null, description: description || null }))
  }

  const requestClose = () => (isSending || summary.unsent > 0 ? setAsksToClose(true) : onClose())
  const question = closingQuestion(summary)
  const warning = rules && overTheLimit(rules, present?.evidence_files ?? [], items)

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
          <BrandRequirements brand={order.brand.display_name} rules={rules} />
          <div className="form-grid">
            <Field label="Categoria" span={6} help="Vale para todos os arquivos da lista.">
              {(control) => (
                <CategorySelect
                  control={control}
                  value={category}
                  onChange={onCategory}
                  isDisabled={isSending}
                  brand={order.brand.display_name}
                  required={rules?.required_categories ?? []}
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
                  disabled={isSending}
                  rows={2}
                  fill
                />
              )}
            </Field>
          </div>
          <FilePicker onFiles={queue.add} isCompact={items.length > 0} hasFocus />
          {items.length > 0 && <ChosenFiles items={items} queue={queue} onRetry={retryOne} />}
          <PackagePromise rules={rules} present={present?.evidence_files ?? []} items={items} />
          {warning && (
            <p className="upload-warning" role="status">
              {warning}
            </p>
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button
                ref={stop}
                text={closingWord(summary)}
                onClick={isSending ? queue.cancel : requestClose}
              />
              {summary.failed > 0 && !isSending && (
                <Button
                  icon={<RepeatIcon />}
                  text="Tentar novamente"
                  onClick={() => void follow(queue.retry())}
                />
              )}
              <Button
                intent="primary"
                icon={<UploadIcon />}
                text="Enviar"
                disabled={summary.unsent === 0}
                loading={isSending}
                title="Ctrl+Enter"
                onClick={send}
              />
            </>
          }
        >
          <span className="upload-progress numeric">{progressLine(summary)}</span>
          <span className="visually-hidden" role="status">
            {isSending && spokenProgress(summary)}
          </span>
        </DialogFooter>
      </Modal>
      <ConfirmDialog
        isOpen={(isOpen && asksToClose) || leaving.status === 'blocked'}
        title={question.title}
        confirmText={question.confirm}
        cancelText={question.cancel}
        onConfirm={() => {
          queue.cancel()
          onClose()
          leaving.proceed?.()
        }}
        onCancel={() => {
          setAsksToClose(false)
          leaving.reset?.()
        }}
      >
        {question.text}
      </ConfirmDialog>
    </>
  )
}

/** Inside the dialog, whose key it is. */
function SendKey({ onSend }: { onSend: () => void }) {
  useShortcut('mod+enter', onSend, { worksInFields: true, words: 'Enviar' })
  return null
}
