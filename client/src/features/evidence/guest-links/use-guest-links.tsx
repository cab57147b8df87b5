import type { OrderView } from '@garantia/shared/orders/schema'
import { isClosed } from '@garantia/shared/orders/status'
import { can } from '@garantia/shared/policy'
import { lazy, Suspense, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'

const GuestLinksDialog = lazy(async () => ({
  default: (await import('./guest-links-dialog.tsx')).GuestLinksDialog,
}))

/** The dialog of an order's links, with its key; `open` is null without permission and for a closed order. */
export function useGuestLinks(order: OrderView) {
  const mayManage = can(useActor(), 'guest-link.manage', order) && !isClosed(order.status)
  /** Null until it was opened once. */
  const [isOpen, setIsOpen] = useState<boolean | null>(null)
  const open = () => setIsOpen(true)
  useShortcut('l', open, { isEnabled: mayManage, label: 'Links para fotos' })
  const dialog = isOpen !== null && (
    <Suspense fallback={null}>
      <GuestLinksDialog isOpen={isOpen} order={order} onClose={() => setIsOpen(false)} />
    </Suspense>
  )
  return { open: mayManage ? open : null, dialog }
}
