import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { consumeKey } from '../keys/pressed-keys.ts'

/**
 * For a popover's onOpening: focuses the first item of the menu. The menu is not positioned yet and still at
 * the top of the page, which must not scroll there.
 */
export const focusFirstItem = (popup: HTMLElement) =>
  popup.querySelector<HTMLElement>('.bp6-menu-item')?.focus({ preventScroll: true })

/** Arrow key navigation, which Blueprint's menu lacks. */
export function KeyMenu({ children }: { children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null)
  const items = () => [...(container.current?.querySelectorAll<HTMLElement>('.bp6-menu-item') ?? [])]
  const move = (event: KeyboardEvent) => {
    // Items act on the keydown of Enter; its keyup would activate the button focused by then.
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
    <div ref={container} onKeyDown={move}>
      {children}
    </div>
  )
}
