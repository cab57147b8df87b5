import { Button } from '@blueprintjs/core'
import { EditIcon, PrintIcon, TrashIcon } from '@blueprintjs/icons'
import { UNDER_LEGAL_HOLD } from '@garantia/shared/orders/hold'
import type { OrderView } from '@garantia/shared/orders/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { can } from '@garantia/shared/policy'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { lastListSearch } from '../../../lib/return-to-list.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut, useShortcuts } from '../../../ui/keys/shortcut.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { RowMenu } from '../../../ui/table/row-menu.tsx'
import { FIRST_PAGE } from '../list/orders-search.ts'
import { useStatusChange } from '../order/status-change.tsx'
import { StatusMenu } from '../order/status-menu.tsx'

const EditOrderModal = lazy(async () => ({
  default: (await import('../form/order-modal.tsx')).EditOrderModal,
}))
const RemovalDialog = lazy(async () => ({
  default: (await import('../list/removal-dialog.tsx')).RemovalDialog,
}))

/** Actions on the whole order; those this user can never perform are hidden (D-38). */
export function OrderActions({ order }: { order: OrderView }) {
  const actor = useActor()
  const navigate = useNavigate()
  const [isEditing, setIsEditing] = useState(false)
  // It stays, so that the focus returns as it closes.
  const wasEditing = useRef(false)
  wasEditing.current ||= isEditing
  const [isDeleting, setIsDeleting] = useState(false)
  const wasDeleting = useRef(false)
  wasDeleting.current ||= isDeleting
  const move = useStatusChange()
  const isEnded = isClosed(order.status)
  const mayEdit = can(actor, 'order.change', order)
  const isEditable = mayEdit && !isEnded
  useShortcut('e', () => setIsEditing(true), { isEnabled: isEditable, label: 'Editar' })
  const mayDelete = can(actor, 'order.delete', order)
  // Only who is about to delete needs to know.
  const [isHoldWanted, setIsHoldWanted] = useState(false)
  const askForHold = () => setIsHoldWanted(true)
  const hold = trpc.retention.holdOf.useQuery({ id: order.id }, { enabled: mayDelete && isHoldWanted })
  const isHeld = hold.data?.is_held === true
  useShortcut('delete', () => setIsDeleting(true), { isEnabled: mayDelete && !isHeld, label: 'Excluir a OS' })
  useShortcut('i', () => void navigate({ to: '/os/$id/imprimir', params: { id: order.id } }), {
    label: 'Imprimir a OS',
  })
  const hint = useKeyHint()
  const mayMove = can(actor, 'order.status', order)
  useShortcuts(
    order.allowed_transitions
      .filter(({ is_allowed }) => mayMove && is_allowed)
      .map((to) => ({
        keys: [],
        label: `${to.label} OS ${order.os_number}`,
        act: () => move.start(order, to),
      })),
  )

  return (
    <>
      {mayMove && <StatusMenu order={order} />}
      {mayEdit && (
        <span title={isEnded ? CLOSED_ORDER : undefined}>
          <Button
            icon={<EditIcon />}
            text="Editar"
            {...(isEnded ? { title: CLOSED_ORDER } : hint('Editar', 'e'))}
            disabled={isEnded}
            onClick={() => setIsEditing(true)}
          />
        </span>
      )}
      <LinkButton
        icon={<PrintIcon />}
        to="/os/$id/imprimir"
        params={{ id: order.id }}
        aria-label={`Imprimir a OS ${order.os_number}`}
        {...hint('Imprimir', 'i')}
      />
      {mayDelete && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the interactive element
        <span onPointerEnter={askForHold} onFocus={askForHold}>
          <RowMenu
            label={`Ações da OS ${order.os_number}`}
            items={[
              {
                text: 'Excluir',
                icon: <TrashIcon />,
                isDanger: true,
                isDisabled: isHeld,
                reason: isHeld ? UNDER_LEGAL_HOLD : undefined,
                onClick: () => setIsDeleting(true),
              },
            ]}
          />
        </span>
      )}
      {wasEditing.current && (
        <Suspense>
          <EditOrderModal
            order={order}
            isOpen={isEditing}
            onClose={() => setIsEditing(false)}
            onMove={move.start}
          />
        </Suspense>
      )}
      {move.element}
      {wasDeleting.current && (
        <Suspense>
          <RemovalDialog
            orders={isDeleting ? [order] : []}
            onRemoveMany={() => undefined}
            onRemoved={() =>
              void navigate({
                to: '/lista-os',
                search: { ...FIRST_PAGE, ...lastListSearch() },
                replace: true,
              })
            }
            onClose={() => setIsDeleting(false)}
          />
        </Suspense>
      )}
    </>
  )
}
