import { useBlocker } from '@tanstack/react-router'
import { isSignedIn } from '../lib/session.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks once before what was typed is lost; a session that ended is not held back. */
export function UnsavedGuard({ isDirty, what }: { isDirty: boolean; what: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty && isSignedIn(),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      title="Descartar alterações?"
      confirmText="Descartar"
      cancelText="Continuar editando"
      onConfirm={() => proceed?.()}
      onCancel={() => reset?.()}
    >
      Você preencheu {what} e ainda não salvou. Se sair agora, o que foi digitado se perde.
    </ConfirmDialog>
  )
}
