import { Button } from '@blueprintjs/core'
import { DrawerRightIcon } from '@blueprintjs/icons'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { useKeyHint } from '../../../../ui/keys/key-hint.ts'
import { useRowTabIndex } from '../../../../ui/table/row-cursor.ts'
import { nameOf } from '../order-display.ts'

/** Mouse access to the peek panel; visible on the hovered or focused row. */
export function PeekButton({ order, onPeek }: { order: ListedOrder; onPeek: (order: ListedOrder) => void }) {
  const tabIndex = useRowTabIndex()
  const hint = useKeyHint()
  return (
    <Button
      className="peek-button"
      variant="minimal"
      size="small"
      tabIndex={tabIndex}
      icon={<DrawerRightIcon />}
      aria-label={`Espiar ${nameOf(order)}`}
      {...hint('Espiar', 'space')}
      onClick={(event) => {
        onPeek(order)
        event.currentTarget.closest<HTMLElement>('[data-row]')?.focus()
      }}
    />
  )
}
