import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { useHotkeys } from 'react-hotkeys-hook'
import { Modal } from './modal.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'

type State = 'clean' | 'dirty' | 'busy'
const Shell = createContext({ report: (_: State) => {}, close: () => {} })

interface ModalProps {
  /** It stays mounted while closed, or the focus would not return to where it came from. */
  isOpen: boolean
  title: string
  /** What would be lost: «a nova empresa». */
  what: string
  width?: 'wide' | 'drawer'
  onClose: () => void
  /** A <ModalForm>, or what is shown until its data are there. */
  children: ReactNode
}

/** A form in a dialog: it closes by itself only while nothing was typed, and asks otherwise. */
export function FormModal({ isOpen, title, what, width = 'wide', onClose, children }: ModalProps) {
  const [state, report] = useState<State>('clean')
  const [isAsked, setIsAsked] = useState(false)
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
      <Modal isOpen={isOpen} title={title} width={width} onClose={close} isCloseable={state !== 'busy'}>
        <Shell value={{ report, close }}>{children}</Shell>
      </Modal>
      <UnsavedGuard isDirty={isOpen && state === 'dirty'} what={what} closing={closing} />
    </>
  )
}

interface FormProps {
  submitText: string
  isDirty: boolean
  isBusy: boolean
  canSubmit?: boolean
  onSubmit: () => unknown
  children: ReactNode
}

export function ModalForm({ submitText, isDirty, isBusy, canSubmit = true, onSubmit, children }: FormProps) {
  const { report, close } = use(Shell)
  useEffect(() => {
    report(isBusy ? 'busy' : isDirty ? 'dirty' : 'clean')
    return () => report('clean')
  }, [report, isBusy, isDirty])
  const submit = () => {
    if (canSubmit && !isBusy) onSubmit()
  }
  useHotkeys('mod+s', submit, { enableOnFormTags: true, preventDefault: true })
  return (
    <form
      noValidate
      className="modal-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <DialogBody>{children}</DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancelar" onClick={close} disabled={isBusy} />
            <Button
              type="submit"
              intent="primary"
              text={submitText}
              title={`${submitText} (Ctrl+S)`}
              disabled={!canSubmit}
              loading={isBusy}
            />
          </>
        }
      />
    </form>
  )
}
