import { lazy, Suspense, useState } from 'react'
import type { OrderChangeState } from './use-order-change.ts'

/** Loaded with the first conflict: few changes meet one. */
const ConflictDialog = lazy(async () => ({ default: (await import('./conflict-dialog.tsx')).ConflictDialog }))

/** The dialog about a change that somebody else made meanwhile. It stays, so that the focus returns as it closes. */
export function ConflictPrompt({ change }: { change: OrderChangeState }) {
  const [wasMet, setWasMet] = useState(false)
  if (change.conflict !== null && !wasMet) setWasMet(true)
  return (
    wasMet && (
      <Suspense>
        <ConflictDialog change={change} />
      </Suspense>
    )
  )
}
