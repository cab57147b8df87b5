import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { consumeKey } from '../keys/pressed-keys.ts'
import { useTypeAhead } from '../keys/type-ahead.ts'

const textOf = (item: HTMLElement) =>
  item.querySelector('.bp6-text-overflow-ellipsis')?.textContent ?? item.textContent

/** Arrow keys, an entry's own key and typing the beginning of one, which Blueprint's menu lacks. */
export function KeyMenu({ children }: { children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null)
  const entryTyped = useTypeAhead()
  const items = () => [...(container.current?.querySelectorAll<HTMLElement>('.bp6-menu-item') ?? [])]
  const move = (event: KeyboardEvent) => {
    // Items act on the keydown of Enter; its keyup would activate the button focused by then.
    if (event.key === 'Enter' || event.key === ' ') consumeKey(event.key)
    const all = items()
    const { key, ctrlKey, metaKey, altKey } = event
    const own = all.find((item) => item.getAttribute('aria-keyshortcuts') === key)
    if (own && !ctrlKey && !metaKey && !altKey) return own.click()
    const typed = entryTyped(event, all, textOf)
    if (typed) return typed.focus()
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
