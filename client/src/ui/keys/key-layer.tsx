import { createContext, type ReactNode, useId } from 'react'

/** Id of the overlay that owns the shortcuts registered below; null is the page. */
export const KeyLayerId = createContext<string | null>(null)

/** Scopes shortcuts to an overlay: they only apply while it is on top. */
export function KeyLayer({ children }: { children: ReactNode }) {
  const id = useId()
  return (
    <KeyLayerId value={id}>
      {children}
      <span hidden data-key-layer={id} />
    </KeyLayerId>
  )
}
