import { lazy, Suspense, useEffect, useState } from 'react'
import { onConfirmationNeeded } from '../lib/confirmation.ts'

const IdentityDialog = lazy(async () => ({
  default: (await import('../features/people/auth/identity-dialog.tsx')).IdentityDialog,
}))

type Answer = (isConfirmed: boolean) => void

/** Opens the dialog that a call of any screen may need, and hands its answer to the call. */
export function ConfirmIdentity() {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [isUsed, setIsUsed] = useState(false)
  useEffect(() => {
    onConfirmationNeeded(() => {
      setIsUsed(true)
      return new Promise((resolve) => setAnswer(() => resolve))
    })
    return () => onConfirmationNeeded(async () => false)
  }, [])
  const close = (isConfirmed: boolean) => {
    answer?.(isConfirmed)
    setAnswer(null)
  }
  return (
    isUsed && (
      <Suspense fallback={null}>
        <IdentityDialog isOpen={answer !== null} onClose={close} />
      </Suspense>
    )
  )
}
