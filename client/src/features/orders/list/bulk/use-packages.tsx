import { ARCHIVE_LIMITS } from '@garantia/shared/evidence/archive-status'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '../../../../lib/messages.ts'
import { trpc } from '../../../../lib/trpc.ts'
import { toast } from '../../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../../ui/press.ts'

const PackagesDialog = lazy(async () => ({ default: (await import('./packages-dialog.tsx')).PackagesDialog }))

/** Asks for the packages of several orders in one ZIP, and shows those that were asked for. */
export function usePackages() {
  const utils = trpc.useUtils()
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  if (isOpen && !wasOpen) setWasOpen(true)
  const request = trpc.packages.request.useMutation({
    async onSuccess() {
      await utils.packages.list.invalidate()
      setIsOpen(true)
    },
    onError: (error) => toast.error({ title: 'Erro ao pedir pacotes', description: messageOf(error) }),
  })
  const { press, isBusy } = usePress((orders: readonly { id: number }[]) =>
    orders.length > ARCHIVE_LIMITS.orders
      ? toast.warning({
          title: 'Pacotes de OS demais',
          description: `São no máximo ${ARCHIVE_LIMITS.orders} por vez.`,
        })
      : request.mutateAsync({ ids: orders.map(({ id }) => id) }),
  )
  return {
    request: press,
    isBusy,
    show: () => setIsOpen(true),
    dialog: wasOpen && (
      <Suspense fallback={null}>
        <PackagesDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
      </Suspense>
    ),
  }
}
