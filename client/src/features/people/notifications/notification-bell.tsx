import { Button } from '@blueprintjs/core'
import { NotificationsIcon } from '@blueprintjs/icons'
import { counted } from '@garantia/shared/format'
import { UNREAD_MAX } from '@garantia/shared/notifications/unread'
import { lazy, Suspense, useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { focusFirstItem } from '../../../ui/overlay/focus-first-item.ts'
import { Popover } from '../../../ui/overlay/popover.tsx'
import './notifications.css'

const POLL_MS = 60_000

const NotificationList = lazy(async () => ({
  default: (await import('./notification-list.tsx')).NotificationList,
}))

/** How many notifications are not read; opens their list. */
export function NotificationBell() {
  const [isOpen, setIsOpen] = useState(false)
  const { data } = trpc.notifications.unread.useQuery(undefined, {
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: true,
    staleTime: POLL_MS / 2,
  })
  const unread = data?.unread ?? 0
  const shown =
    unread > UNREAD_MAX ? `mais de ${UNREAD_MAX} não lidas` : counted(unread, 'não lida', 'não lidas')
  const label = unread > 0 ? `Notificações: ${shown}` : 'Notificações'
  return (
    <Popover
      isOpen={isOpen}
      onInteraction={setIsOpen}
      placement="bottom-end"
      onOpening={focusFirstItem}
      content={
        <Suspense fallback={<div className="notification-list" />}>
          <NotificationList onClose={() => setIsOpen(false)} />
        </Suspense>
      }
    >
      <Button variant="minimal" className="notification-bell" aria-label={label} title={label}>
        <NotificationsIcon />
        {unread > 0 && (
          <span className="notification-count" aria-hidden="true">
            {unread > UNREAD_MAX ? `${UNREAD_MAX}+` : unread}
          </span>
        )}
      </Button>
    </Popover>
  )
}
