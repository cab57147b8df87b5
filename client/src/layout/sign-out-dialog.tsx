import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { counted } from '@garantia/shared/format'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { isUnsent } from '../features/evidence/upload/upload-item.ts'
import { uploads } from '../features/evidence/upload/uploads.ts'
import { toast } from '../ui/feedback/toaster.tsx'
import { Modal } from '../ui/overlay/modal.tsx'
import { usePress } from '../ui/press.ts'
import { unsentQuestion, useSignOutNow } from './sign-out.ts'

const forgetKept = async (ids: readonly string[]) =>
  (await import('../features/evidence/upload/upload-store.ts')).uploadStore.forget(ids)

/** Asks what becomes of files that have not arrived: the device may be somebody else's in a moment. */
export function SignOutDialog() {
  const { close, useIsOpen } = unsentQuestion
  const isOpen = useIsOpen()
  // It ends with the session, however that ends.
  useEffect(() => unsentQuestion.close, [])
  const { press: signOutNow, isBusy } = useSignOutNow()
  const unsent = useSyncExternalStore(uploads.subscribe, uploads.items).filter(isUnsent)
  const [deleted, setDeleted] = useState(0)
  const { press: deleteAll, isBusy: isDeleting } = usePress(async () => {
    try {
      if (unsent.some(({ is_kept }) => is_kept)) await forgetKept(unsent.map(({ id }) => id))
    } catch {
      toast.error({ title: 'Erro ao apagar', description: 'Os arquivos continuam guardados neste aparelho.' })
      return
    }
    setDeleted(unsent.length)
    uploads.remove(isUnsent)
    signOutNow()
  })
  const isKept = unsent.every(({ is_kept }) => is_kept)
  return (
    <Modal
      isOpen={isOpen}
      title="Sair antes do fim do envio?"
      onClose={close}
      role="alertdialog"
      isCloseable={!isBusy && !isDeleting}
    >
      <DialogBody>
        {unsent.length === 0 ? (
          <p>
            {deleted > 0
              ? `${counted(deleted, 'arquivo foi apagado', 'arquivos foram apagados')} deste aparelho.`
              : 'Tudo chegou: você pode sair.'}
          </p>
        ) : (
          <>
            <p>
              {counted(
                unsent.length,
                'arquivo ainda não chegou ao servidor.',
                'arquivos ainda não chegaram ao servidor.',
              )}
            </p>
            <p className="muted">
              {isKept
                ? 'O que fica guardado neste aparelho é enviado quando você entrar de novo; outras pessoas não o veem no Garantia.'
                : 'O que fica é enviado quando você entrar de novo nesta página. Se ela for fechada, ele se perde.'}
            </p>
          </>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          unsent.length === 0 ? (
            <Button autoFocus intent="primary" text="Sair" loading={isBusy} onClick={signOutNow} />
          ) : (
            <>
              <Button autoFocus text="Continuar enviando" disabled={isBusy} onClick={close} />
              <Button text="Guardar e sair" loading={isBusy} onClick={signOutNow} />
              <Button
                intent="danger"
                text="Apagar e sair"
                disabled={isBusy}
                loading={isDeleting}
                onClick={deleteAll}
              />
            </>
          )
        }
      />
    </Modal>
  )
}
