import { signOut } from '../lib/session.ts'
import { trpc } from '../lib/trpc.ts'

/** Ends the session on the server first; whatever that answers, this browser forgets it (STA-2). */
export function useSignOut() {
  const logout = trpc.auth.logout.useMutation({ onSettled: signOut })
  return () => logout.mutate()
}
