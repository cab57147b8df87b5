import { Classes } from '@blueprintjs/core'
import { cloneElement, lazy, type ReactElement, Suspense, useRef, useState } from 'react'
import type { LoadedPopoverProps } from './loaded-popover.tsx'

const load = () => import('./loaded-popover.tsx')
const LoadedPopover = lazy(async () => ({ default: (await load()).LoadedPopover }))

interface Props extends Omit<LoadedPopoverProps, 'target'> {
  isDisabled?: boolean | undefined
  /** What it shows; a menu unless it has fields. */
  kind?: 'menu' | 'dialog'
  /** The button that opens it. */
  children: ReactElement<{ 'aria-haspopup'?: 'menu' | 'dialog'; 'aria-expanded'?: boolean }>
}

/**
 * A popover below a button. Its positioning code is larger than most screens, so it is loaded on hover or
 * focus of the button; the button itself does not change.
 */
export function Popover({ isDisabled = false, kind = 'menu', children, ...popover }: Props) {
  const target = useRef<HTMLSpanElement>(null)
  const [isWanted, setIsWanted] = useState(popover.isOpen)
  if (popover.isOpen && !isWanted) setIsWanted(true)
  const isOpen = popover.isOpen && !isDisabled
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the interactive element */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter and Space on a button arrive as clicks */}
      <span
        ref={target}
        className={`${Classes.POPOVER_TARGET}${isOpen ? ` ${Classes.POPOVER_OPEN}` : ''}`}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => !isDisabled && popover.onInteraction(!isOpen)}
      >
        {cloneElement(children, { 'aria-haspopup': kind, 'aria-expanded': isOpen })}
      </span>
      {isWanted && (
        <Suspense>
          <LoadedPopover {...popover} isOpen={isOpen} target={target} />
        </Suspense>
      )}
    </>
  )
}
