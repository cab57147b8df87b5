import { conflict, notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import {
  REGISTER_TEMPLATE,
  type RegisterContent,
  type RegisterInput,
  type RegisterVersion,
  type RegisterView,
} from '@garantia/shared/privacy/register'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { violatedIndex } from '../../../kernel/database.ts'
import { actorOf } from './actor.ts'

/**
 * A version of the register of processing activities, the newest unless one is asked for, with all others; version 0,
 * the text that the product brings, while none was saved. 403 unless administrator; 404 for a version that is none.
 */
export async function readRegister(ctx: Ctx, wanted?: number): Promise<RegisterView> {
  authorize(ctx.actor, 'privacy.manage')
  const rows = await ctx.db
    .selectFrom('processing_registers')
    .select(['version', 'saved_at', 'actor_name'])
    .orderBy('version', 'desc')
    .execute()
  const versions: RegisterVersion[] = rows.map(({ saved_at, ...row }) => ({
    ...row,
    saved_at: saved_at.toISOString(),
  }))
  const shown = wanted === undefined ? versions[0] : versions.find(({ version }) => version === wanted)
  if (!shown && wanted !== undefined) throw notFound('Versão do registro não encontrada')
  if (!shown) return { version: 0, saved_at: null, actor_name: null, content: REGISTER_TEMPLATE, versions }
  const { content } = await ctx.db
    .selectFrom('processing_registers')
    .where('version', '=', shown.version)
    .select('content')
    .executeTakeFirstOrThrow()
  return { ...shown, content: content as unknown as RegisterContent, versions }
}

/**
 * Saves a new version; those before stay. 403 unless administrator; 409 when somebody else has saved one since
 * `version` was read.
 */
export function saveRegister(ctx: Ctx, { version, content }: RegisterInput): Promise<RegisterView> {
  return inTransaction(ctx, async (ctx) => {
    authorize(ctx.actor, 'privacy.manage')
    const { versions } = await readRegister(ctx)
    if ((versions[0]?.version ?? 0) !== version) throw conflict(SAVED_MEANWHILE)
    await ctx.db
      .insertInto('processing_registers')
      .values({
        version: version + 1,
        content: JSON.stringify(content),
        ...actorOf(ctx),
        saved_at: ctx.clock(),
      })
      .execute()
      .catch((error: unknown) => {
        // Two at the same moment: the key decides.
        throw violatedIndex(error) === 'processing_registers_pkey' ? conflict(SAVED_MEANWHILE) : error
      })
    return readRegister(ctx)
  })
}
const SAVED_MEANWHILE =
  'Outra pessoa salvou uma versão do registro enquanto você editava. Copie o que mudou e recarregue a página.'
