import type { Ctx } from '../../../kernel/context.ts'

/** Who writes a row. */
export const actorOf = ({ actor }: Pick<Ctx, 'actor'>) =>
  actor.kind === 'user'
    ? { user_id: actor.id, actor_name: actor.name }
    : { user_id: null, actor_name: 'Sistema' }
