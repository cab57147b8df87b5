import { useBlocker } from '@tanstack/react-router'
import { isSignedIn } from '../../lib/session.ts'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'

interface Props {
  isDirty: boolean
  unsavedLabel: string
  /** For a dialog being closed: asks the same question as on leaving a page. */
  closing?: { isAsked: boolean; discard: () => void; keep: () => void }
}

/** Asks for confirmation before typed input is lost; an expired session is not blocked. */
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
