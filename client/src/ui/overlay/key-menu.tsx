import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { consumeKey } from '../keys/pressed-keys.ts'

/**
 * For a popover's onOpening: the first item of the menu takes the focus. The menu has not been placed yet: it
 * stands at the beginning of the page, which must not be scrolled there.
 */
export const focusFirstItem = (popup: HTMLElement) =>
  popup.querySelector<HTMLElement>('.bp6-menu-item')?.focus({ preventScroll: true })

/** Blueprint's menu has no arrow keys; this moves the focus among its items. */
export function KeyMenu({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const items = () => [...(place.current?.querySelectorAll<HTMLElement>('.bp6-menu-item') ?? [])]
  const move = (event: KeyboardEvent) => {
    // An item acts when Enter goes down; coming up it would press the button that has the focus again.
    if (event.key === 'Enter' || event.key === ' ') consumeKey(event.key)
    const all = items()
    const now = all.indexOf(document.activeElement as HTMLElement)
    const target = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: all.length - 1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    all.at(target % all.length)?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the menu inside
    <div ref={place} onKeyDown={move}>
      {children}
    </div>
  )
}
