import type { MeView } from '@garantia/shared/users/schema'
import { lazy, Suspense } from 'react'

const DemoState = lazy(async () => ({ default: (await import('./demo-state.tsx')).DemoState }))

/** Marks a demonstration. */
export const DemoBadge = ({ me }: { me: MeView }) =>
  me.is_demonstration ? (
    <Suspense fallback={null}>
      <DemoState />
    </Suspense>
  ) : null
