import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { createContext, type ReactNode, Suspense, use, useEffect, useState } from 'react'
import { useKeyHint } from '../keys/key-hint.ts'
import { useShortcut } from '../keys/shortcut.ts'
import { focusFirstField } from '../overlay/dialog-focus.ts'
import { Modal } from '../overlay/modal.tsx'
import { useSave } from '../press.ts'
import { UnsavedGuard } from './unsaved-guard.tsx'

type State = 'clean' | 'dirty' | 'busy'
const FormModalContext = createContext({ report: (_: State) => {}, close: () => {} })

interface ModalProps {
  /** The dialog stays mounted while closed so that focus can return to the element that opened it. */
  isOpen: boolean
  title: string
  /** What would be lost: «a nova empresa». */
  unsavedLabel: string
  width?: 'narrow' | 'wide' | 'drawer'
  onClose: () => void
  /** Called after the closing transition; another dialog may open. */
  onClosed?: () => void
  /** A <ModalForm>, or a placeholder until its data have loaded; may be lazy. */
  children: ReactNode
}

/** A form in a dialog: closes at once while clean, asks for confirmation when dirty. */
export function FormModal(props: ModalProps) {
  const { isOpen, title, unsavedLabel, width = 'wide', onClose, onClosed, children } = props
  const [state, report] = useState<State>('clean')
  const [isAsked, setIsAsked] = useState(false)
  // A save in progress may close the dialog while the confirmation is open.
  if (isAsked && !isOpen) setIsAsked(false)
  const close = () => {
    if (state === 'clean') onClose()
    else if (state === 'dirty') setIsAsked(true)
  }
  const closing = {
    isAsked,
    keep: () => setIsAsked(false),
    discard: () => {
      setIsAsked(false)
      onClose()
    },
  }
  return (
    <>
      <Modal
        isOpen={isOpen}
        title={title}
        width={width}
        onClose={close}
        onClosed={onClosed}
        isCloseable={state !== 'busy'}
      >
        <FormModalContext value={{ report, close }}>
          <Suspense fallback={<DialogBody>{null}</DialogBody>}>{children}</Suspense>
        </FormModalContext>
      </Modal>
      <UnsavedGuard isDirty={isOpen && state === 'dirty'} unsavedLabel={unsavedLabel} closing={closing} />
    </>
  )
}

interface FormProps {
  submitText: string
  isDirty: boolean
  canSubmit?: boolean
  /** Returns the promise of what it does; until that has ended the form is busy. */
  onSubmit: () => unknown
  /** A step before the last; if `isOnlyWay`, Enter and the primary button go to it instead of submitting. */
  next?: { go: () => void; isOnlyWay: boolean } | undefined
  onBack?: (() => void) | undefined
  /** At the left of the footer. */
  aside?: ReactNode
  children: ReactNode
}

/** The form inside a <FormModal>: reports its state to the dialog, and submits on Ctrl+S or Ctrl+Enter. */
export function ModalForm({ canSubmit = true, isDirty, onSubmit, ...props }: FormProps) {
  const { submitText, next, onBack } = props
  const { report, close } = use(FormModalContext)
  const { press, isBusy } = useSave(onSubmit)
  useEffect(() => {
    report(isBusy ? 'busy' : isDirty ? 'dirty' : 'clean')
    return () => report('clean')
  }, [report, isBusy, isDirty])
  const submit = () => {
    if (canSubmit) press()
  }
  useShortcut(['mod+s', 'mod+enter'], submit, { worksInFields: true, label: submitText })
  const hint = useKeyHint()
  return (
    <form
      ref={focusFirstField}
      noValidate
      className="modal-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (next?.isOnlyWay) next.go()
        else submit()
      }}
    >
      <DialogBody>{props.children}</DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancelar" onClick={close} disabled={isBusy} />
            {onBack && <Button text="Anterior" onClick={onBack} disabled={isBusy} />}
            {next && (
              <Button
                text="Próximo"
                {...(next.isOnlyWay ? { type: 'submit', intent: 'primary' } : { onClick: next.go })}
                disabled={isBusy}
              />
            )}
            {!next?.isOnlyWay && (
              <Button
                type="submit"
                intent="primary"
                text={submitText}
                {...hint(submitText, 'mod+s')}
                disabled={!canSubmit}
                loading={isBusy}
              />
            )}
          </>
        }
      >
        {props.aside}
      </DialogFooter>
    </form>
  )
}
