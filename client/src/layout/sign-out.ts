import { signOut } from '../lib/session.ts'
import { trpc } from '../lib/trpc.ts'

/** Ends the session on the server, then in this browser whatever the server answers (STA-2). */
export function useSignOut() {
  const logout = trpc.auth.logout.useMutation({ onSettled: signOut })
  return () => logout.mutate()
}
