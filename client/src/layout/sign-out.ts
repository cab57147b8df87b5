import { isUnsent } from '../features/evidence/upload/upload-item.ts'
import { uploads } from '../features/evidence/upload/uploads.ts'
import { signOut } from '../lib/session.ts'
import { trpc } from '../lib/trpc.ts'
import { createOpenState } from '../ui/overlay/open-state.ts'
import { usePress } from '../ui/press.ts'

/** The one dialog that asks what becomes of files that have not arrived. */
export const unsentQuestion = createOpenState()

/** Ends the session on the server, then in this browser whatever the server answers (STA-2). */
export function useSignOutNow() {
  const logout = trpc.auth.logout.useMutation({ onSettled: signOut })
  const { press, isBusy } = usePress(() => logout.mutateAsync())
  return { press: () => press(), isBusy }
}

/** Signs out, after a question where files of this person have not arrived. */
export function useSignOut() {
  const { press } = useSignOutNow()
  return () => (uploads.items().some(isUnsent) ? unsentQuestion.open() : press())
}
