import {
  type MiddlewareConfig,
  PopoverAnimation,
  PopoverNext,
  type PopoverNextPlacement,
  type PopoverNextProps,
} from '@blueprintjs/core'
import { type Ref, type RefObject, useLayoutEffect } from 'react'
import { FADE_MS } from './fade.ts'

export interface LoadedPopoverProps extends Pick<PopoverNextProps, 'content' | 'onOpening' | 'onClosed'> {
  isOpen: boolean
  onInteraction: (isOpen: boolean) => void
  placement: PopoverNextPlacement
  /** The wrapper around the button, which is rendered elsewhere. */
  target: RefObject<HTMLElement | null>
}

/**
 * Without an arrow there is no offset, and rounding to whole pixels would cover the button's edge. Nothing touches
 * the edge of the window.
 */
const OFF_THE_EDGES: MiddlewareConfig = { offset: { mainAxis: 4 }, shift: { padding: 8 } }

/** The popover itself, loaded on demand by <Popover>. */
export const LoadedPopover = ({ target, ...popover }: LoadedPopoverProps) => (
  <PopoverNext
    {...popover}
    arrow={false}
    animation={PopoverAnimation.MINIMAL}
    transitionDuration={FADE_MS}
    middleware={OFF_THE_EDGES}
    shouldReturnFocusOnClose
    renderTarget={({ ref }) => <Anchor target={target} popoverRef={ref} />}
  />
)

/** Makes an element rendered elsewhere the popover's target. */
function Anchor({
  target,
  popoverRef,
}: {
  target: RefObject<HTMLElement | null>
  popoverRef: Ref<HTMLElement>
}) {
  useLayoutEffect(() => {
    const assign = (element: HTMLElement | null) => {
      if (typeof popoverRef === 'function') popoverRef(element)
      else if (popoverRef) popoverRef.current = element
    }
    assign(target.current)
    return () => assign(null)
  }, [target, popoverRef])
  return null
}
