import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { CaretDownIcon } from '@blueprintjs/icons'
import type { TransitionView } from '@garantia/shared/orders/schema'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { useRef, useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { focusFirstItem } from '../../../ui/overlay/focus-first-item.ts'
import { KeyMenu } from '../../../ui/overlay/key-menu.tsx'
import { Popover } from '../../../ui/overlay/popover.tsx'
import { useStatusChange } from './status-change.tsx'
import type { TransitionOrder } from './status-move.ts'
import './status-menu.css'

/** All transitions from the current status; those not allowed say why. Refetched when the menu opens. */
export function StatusMenu({ order }: { order: TransitionOrder }) {
  const [isOpen, setIsOpen] = useState(false)
  const { data, error } = trpc.orders.one.useQuery({ id: order.id }, { enabled: isOpen })
  const { start, isPending, element } = useStatusChange()
  const chosen = useRef<TransitionView>(undefined)
  useShortcut('s', () => setIsOpen(true), { label: 'Mudar status' })
  const hint = useKeyHint()
  const label = `Alterar status da OS ${order.os_number}`
  return (
    <>
      <Popover
        placement="bottom-start"
        onOpening={focusFirstItem}
        onInteraction={setIsOpen}
        isOpen={isOpen}
        // Opened any earlier, a dialog would lose its focus to this menu, which returns focus only now.
        onClosed={() => {
          if (chosen.current) start(data ?? order, chosen.current)
          chosen.current = undefined
        }}
        content={
          <KeyMenu>
            <Menu aria-label={label} className="status-menu">
              {data ? (
                data.allowed_transitions.map((to) => (
                  <Transition
                    key={to.status}
                    to={to}
                    onChoose={() => {
                      chosen.current = to
                      setIsOpen(false)
                    }}
                  />
                ))
              ) : (
                <MenuDivider title={error ? 'Não foi possível carregar' : 'Carregando…'} />
              )}
            </Menu>
          </KeyMenu>
        }
      >
        <Button
          text="Status"
          endIcon={<CaretDownIcon />}
          aria-label={label}
          {...hint(label, 's')}
          loading={isPending}
        />
      </Popover>
      {element}
    </>
  )
}

const Transition = ({ to, onChoose }: { to: TransitionView; onChoose: () => void }) => (
  <MenuItem
    disabled={!to.is_allowed}
    onClick={onChoose}
    text={
      <>
        {to.label}
        {to.reason && <span className="status-menu-reason">{to.reason}</span>}
      </>
    }
    labelElement={
      ORDER_STATUS[to.status].label !== to.label ? <StatusBadge badge={ORDER_STATUS[to.status]} /> : undefined
    }
  />
)
