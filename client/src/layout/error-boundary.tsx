import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { UNEXPECTED } from '../lib/messages.ts'
import { ErrorState } from '../ui/feedback/error-state.tsx'

/**
 * Error page of a screen that failed to render, or whose code chunk is gone after a new release; offers a
 * retry.
 */
export function ScreenError({ reset }: ErrorComponentProps) {
  const router = useRouter()
  const again = () => {
    reset()
    void router.invalidate()
  }
  return <ErrorState title="Não foi possível mostrar esta página" message={UNEXPECTED} onRetry={again} />
}

export const ScreenErrorPage = (props: ErrorComponentProps) => (
  <main className="standalone-page">
    <ScreenError {...props} />
  </main>
)
