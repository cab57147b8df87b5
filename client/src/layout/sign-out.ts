import { signOut } from '../lib/session.ts'
import { trpc } from '../lib/trpc.ts'
import { usePress } from '../ui/press.ts'

/** Ends the session on the server, then in this browser whatever the server answers (STA-2). */
export function useSignOut() {
  const logout = trpc.auth.logout.useMutation({ onSettled: signOut })
  const { press } = usePress(() => logout.mutateAsync())
  return () => press()
}
