import type { BrandView } from '@garantia/shared/brands/schema'
import { integer } from '@garantia/shared/format'
import { useRef } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'

interface Props {
  /** Null keeps the dialog closed. */
  brand: BrandView | null
  onClose: () => void
}

/** Asks before a brand is switched off or on, and says what that means for its orders. */
export function BrandSwitch({ brand, onClose }: Props) {
  const last = useRef(brand)
  if (brand) last.current = brand
  const shown = brand ?? last.current
  const isOff = shown?.is_active === false
  const use = trpc.brands.use.useQuery(
    { id: shown?.id ?? 0 },
    { enabled: brand?.is_active === true, gcTime: 0 },
  )
  const utils = trpc.useUtils()
  const change = trpc.brands.change.useMutation({
    onSuccess({ is_active, display_name }) {
      void utils.brands.invalidate()
      toast.success({ title: is_active ? 'Marca ativada' : 'Marca desativada', description: display_name })
      onClose()
    },
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const name = shown?.display_name ?? ''
  return (
    <ConfirmDialog
      isOpen={brand !== null}
      title={isOff ? `Ativar ${name}?` : `Desativar ${name}?`}
      confirmText={isOff ? 'Ativar' : 'Desativar'}
      onCancel={onClose}
      onConfirm={() =>
        shown &&
        change.mutateAsync({ id: shown.id, version: shown.version, change: { is_active: !shown.is_active } })
      }
    >
      {isOff ? (
        <p>A marca volta a poder ser escolhida em novas ordens de serviço.</p>
      ) : (
        <>
          <p>A marca deixa de poder ser escolhida em novas ordens de serviço.</p>
          <p role="status">{use.data ? openOrdersText(use.data.open_orders) : 'Contando as OS abertas…'}</p>
        </>
      )}
    </ConfirmDialog>
  )
}

function openOrdersText(open: number) {
  if (open === 0) return 'Nenhuma OS desta marca está aberta.'
  const which =
    open === 1
      ? 'A OS aberta desta marca continua como está'
      : `As ${integer(open)} OS abertas desta marca continuam como estão`
  return `${which}: evidências, conversões e conclusão seguem as regras atuais.`
}
