import { useBlocker } from '@tanstack/react-router'
import { isSignedIn } from '../../lib/session.ts'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'

interface Props {
  isDirty: boolean
  unsavedLabel: string
  /** A dialog that is being closed asks the same question as a page that is being left. */
  closing?: { isAsked: boolean; discard: () => void; keep: () => void }
}

/** Asks once before what was typed is lost; a session that ended is not held back. */
export function UnsavedGuard({ isDirty, unsavedLabel, closing }: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty && isSignedIn(),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      isOpen={status === 'blocked' || closing?.isAsked === true}
      title="Descartar alterações?"
      confirmText="Descartar"
      cancelText="Continuar editando"
      onConfirm={() => {
        closing?.discard()
        proceed?.()
      }}
      onCancel={() => {
        closing?.keep()
        reset?.()
      }}
    >
      Você preencheu {unsavedLabel} e ainda não salvou. Se sair agora, o que foi digitado se perde.
    </ConfirmDialog>
  )
}
