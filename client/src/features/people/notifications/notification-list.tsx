import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { dateTime } from '@garantia/shared/format'
import { type NotificationView, notificationText } from '@garantia/shared/notifications/schema'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { focusFirstItem } from '../../../ui/overlay/focus-first-item.ts'
import { KeyMenu } from '../../../ui/overlay/key-menu.tsx'
import { usePress } from '../../../ui/press.ts'

const [FEW, MANY] = [20, 100]

/** Its code may arrive after the popover has opened and looked for what to focus. */
const takeFocus = (menu: HTMLElement | null) => {
  if (menu) focusFirstItem(menu)
}

/** The newest notifications as a menu; choosing one opens its order and marks it as read. */
export function NotificationList({ onClose }: { onClose: () => void }) {
  const [limit, setLimit] = useState(FEW)
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const { data, error, refetch } = trpc.notifications.list.useQuery({ limit }, { staleTime: 0 })
  const markRead = trpc.notifications.markRead.useMutation({
    onSuccess: (unread) => {
      utils.notifications.unread.setData(undefined, unread)
      // Awaited, so that a press is over when the list shows it.
      return utils.notifications.list.invalidate()
    },
    onError: (problem) => toast.error({ title: 'Erro', description: messageOf(problem) }),
  })
  const { press: markAll } = usePress(() => markRead.mutateAsync({}))
  const { press: open } = usePress(async ({ id, order_id, kind, is_read }: NotificationView) => {
    onClose()
    if (kind === 'orders.assigned') void navigate({ to: '/lista-os', search: { responsible: 'me' } })
    else if (kind.startsWith('packages.')) void navigate({ to: '/lista-os' })
    else {
      const tab =
        kind === 'claim.mail_failed'
          ? 'garantia'
          : kind === 'evidence.failed' || kind === 'evidence.requested'
            ? 'evidencias'
            : undefined
      void navigate({ to: '/os/$id', params: { id: order_id }, search: tab ? { tab } : {} })
    }
    if (!is_read) await markRead.mutateAsync({ ids: [id] })
  })
  const list = data?.notifications ?? []
  const isAllRead = list.every(({ is_read }) => is_read)
  return (
    <KeyMenu>
      <Menu ulRef={takeFocus} className="notification-list" aria-label="Notificações">
        <MenuItem
          text="Marcar todas como lidas"
          disabled={isAllRead}
          shouldDismissPopover={false}
          onClick={() => markAll()}
        />
        <MenuDivider />
        {error && (
          <>
            <MenuItem disabled multiline className="notification-note" text={messageOf(error)} />
            <MenuItem text="Tentar novamente" shouldDismissPopover={false} onClick={() => void refetch()} />
          </>
        )}
        {!data && !error && (
          <Delayed>
            <li role="none" className="notification-loading">
              <Skeleton width={70} />
            </li>
          </Delayed>
        )}
        {data && list.length === 0 && (
          <MenuItem disabled className="notification-note" text="Nenhuma notificação." />
        )}
        {list.map((one) => (
          <MenuItem
            key={one.id}
            className={one.is_read ? 'notification' : 'notification is-unread'}
            multiline
            text={
              <>
                <span>{notificationText(one)}</span>
                {!one.is_read && <span className="visually-hidden"> (não lida)</span>}
                {one.text && <span className="notification-text">{one.text}</span>}
                <time className="muted" dateTime={one.at}>
                  {dateTime(one.at)}
                </time>
              </>
            }
            onClick={() => open(one)}
          />
        ))}
        {data?.has_more && limit === FEW && (
          <MenuItem text="Mostrar mais" shouldDismissPopover={false} onClick={() => setLimit(MANY)} />
        )}
      </Menu>
    </KeyMenu>
  )
}
