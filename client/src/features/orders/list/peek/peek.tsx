import { Button } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { useLayoutEffect, useState } from 'react'
import { useKeyHint } from '../../../../ui/keys/key-hint.ts'
import { Modal } from '../../../../ui/overlay/modal.tsx'
import { useIsNarrow } from '../../../../ui/page/narrow.ts'
import { nameOf } from '../order-display.ts'
import { PeekFacts } from './peek-facts.tsx'
import './peek.css'

interface Props {
  /** Null keeps the panel closed. */
  order: ListedOrder | null
  onClose: () => void
}

/**
 * Peek panel: an order beside the list, or over its edge without room. It is no dialog: focus stays on the row, and
 * moving on shows the next one. On phones it is a sheet as high as the window.
 */
export function Peek({ order, onClose }: Props) {
  const hint = useKeyHint()
  const isNarrow = useIsNarrow()
  const [panel, setPanel] = useState<HTMLElement | null>(null)
  const hasRoom = useRoom(panel?.parentElement)
  const facts = order && <PeekFacts key={order.id} row={order} />
  if (isNarrow)
    return (
      <Modal isOpen={order !== null} title={order ? nameOf(order) : ''} width="drawer" onClose={onClose}>
        <div className="peek-sheet">{facts}</div>
      </Modal>
    )
  if (!order) return null
  return (
    <aside
      ref={setPanel}
      className={hasRoom ? 'peek is-beside' : 'peek'}
      aria-label={`Espiada da ${nameOf(order)}`}
    >
      <div className="modal-header">
        <h2 className="numeric">{nameOf(order)}</h2>
        <Button
          variant="minimal"
          size="small"
          icon={<CrossIcon />}
          aria-label="Fechar espiada"
          {...hint('Fechar espiada', 'escape')}
          onClick={onClose}
        />
      </div>
      {facts}
    </aside>
  )
}

/** Width of the list, in pixels, in which its table keeps its columns beside the panel. */
const ROOM = 1_256
/** Whether the list is that wide: not the window, since the menu can be collapsed. */
function useRoom(list: HTMLElement | null | undefined) {
  const [hasRoom, setHasRoom] = useState(false)
  useLayoutEffect(() => {
    if (!list) return
    const measure = () => setHasRoom(list.clientWidth >= ROOM)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(list)
    return () => observer.disconnect()
  }, [list])
  return hasRoom
}
