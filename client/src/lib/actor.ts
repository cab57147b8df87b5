import { type Actor, can } from '@garantia/shared/policy'
import type { MeView } from '@garantia/shared/users/schema'
import { isSignedIn } from './session.ts'
import { trpc } from './trpc.ts'

export const ME_FRESH_MS = 30_000
/** The current user; queried only with a stored token, fresh for 30 s (STA-4, STA-5). */
export const useMe = () =>
  trpc.account.me.useQuery(undefined, {
    enabled: isSignedIn(),
    staleTime: ME_FRESH_MS,
    // It was sent before the first screen was there, and is not repeated when it failed (GEN-12).
    retryOnMount: false,
  })

/** The current user as the actor for `can()`, to hide what the server would refuse. */
export function useActor(): Actor {
  const { data: me } = useMe()
  return me ? actorOf(me) : { kind: 'anonymous' }
}
export const actorOf = ({ full_name, ...me }: MeView): Actor => {
  const { id, role, is_superuser, company_id, scope } = me
  return { kind: 'user', id, name: full_name, role, is_superuser, company_id, scope }
}

/** Whether the user may import orders into some company. */
export const mayImport = (actor: Actor) =>
  actor.kind === 'user' &&
  can(actor, 'order.import', { company_id: actor.scope === 'all' ? 0 : (actor.scope[0] ?? -1) })
