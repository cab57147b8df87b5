import { createContext, type ReactNode, useId } from 'react'

/** The overlay that shortcuts registered below belong to; null is the page. */
export const KeyLayerId = createContext<string | null>(null)

/** What stands inside an overlay owns its own shortcuts, and they hold only while it is on top. */
export function KeyLayer({ children }: { children: ReactNode }) {
  const id = useId()
  return (
    <KeyLayerId value={id}>
      {children}
      <span hidden data-key-layer={id} />
    </KeyLayerId>
  )
}
