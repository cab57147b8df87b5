import type { Actor } from '@garantia/shared/policy'
import { isSignedIn } from './session.ts'
import { trpc } from './trpc.ts'

/** The current user; asked only when a token is held, fresh for 30 s (STA-4, STA-5). */
export const useMe = () => trpc.account.me.useQuery(undefined, { enabled: isSignedIn(), staleTime: 30_000 })

/** Who is asking, for `can()`: it hides what the server would refuse. */
export function useActor(): Actor {
  const { data: me } = useMe()
  if (!me) return { kind: 'anonymous' }
  const { id, full_name, role, is_superuser, company_id, scope } = me
  return { kind: 'user', id, name: full_name, role, is_superuser, company_id, scope }
}

/** Signed up, and not yet assigned by an administrator: nothing can be seen, and nothing opened (D-34). */
export const hasNoCompany = (actor: Actor) =>
  actor.kind === 'user' && actor.scope !== 'all' && actor.scope.length === 0
