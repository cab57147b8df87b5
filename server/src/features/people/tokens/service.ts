import { conflict, notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import {
  type ApiTokenInput,
  type ApiTokenView,
  type NewApiToken,
  TOKENS_MAX,
} from '@garantia/shared/tokens/schema'
import type { TokenScope } from '@garantia/shared/tokens/scope'
import { generateApiToken } from '../../../kernel/api-tokens.ts'
import { requireUser } from '../../../kernel/caller.ts'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { throttle } from '../../../kernel/throttle.ts'
import { lockCaller } from '../users/service.ts'

const DAY_MS = 86_400_000
const MADE_PER_HOUR = 60
const COLUMNS = [
  ...(['id', 'name', 'prefix', 'scope', 'networks'] as const),
  ...(['created_at', 'expires_at', 'last_used_at'] as const),
] as const

interface TokenRow {
  id: number
  name: string
  prefix: string
  scope: TokenScope
  networks: string[]
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
}
const present = (row: TokenRow): ApiTokenView => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scope: row.scope,
  networks: row.networks,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
})

/**
 * Creates an API token with the rights of the caller within its scope; only this answer contains it. 403 when
 * called with an API token or without a recent sign-in; 409 at the limit of 20 tokens; 429 after 60 in an hour.
 */
export async function createToken(ctx: Ctx, input: ApiTokenInput): Promise<NewApiToken> {
  const { id: user_id } = requireUser(ctx)
  authorize(ctx.actor, 'token.create')
  await throttle(ctx, { bucket: `tokens|${user_id}`, hits: MADE_PER_HOUR, window_seconds: 3600 })
  const { name, expires_in_days, scope, networks = [] } = input
  return inTransaction(ctx, async (ctx) => {
    // Two concurrent calls would both count 19.
    await lockCaller(ctx)
    const { existing } = await ctx.db
      .selectFrom('api_tokens')
      .where('user_id', '=', user_id)
      .select(({ fn }) => fn.countAll<number>().as('existing'))
      .executeTakeFirstOrThrow()
    if (existing >= TOKENS_MAX)
      throw conflict(`Você já tem ${TOKENS_MAX} tokens de API. Revogue um deles para criar outro.`)
    const { token, ...kept } = generateApiToken()
    const now = ctx.clock()
    const row = await ctx.db
      .insertInto('api_tokens')
      .values({
        user_id,
        name,
        scope,
        networks,
        ...kept,
        created_at: now,
        expires_at: new Date(now.getTime() + expires_in_days * DAY_MS),
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
    await noteToken(ctx, user_id, 'token.created', row)
    return { ...present(row), token }
  })
}

/** The caller's API tokens, newest first, without their secrets. 403 when called with an API token. */
export async function listTokens(ctx: Ctx) {
  const { id: user_id } = requireUser(ctx)
  authorize(ctx.actor, 'token.manage')
  const rows = await ctx.db
    .selectFrom('api_tokens')
    .where('user_id', '=', user_id)
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .execute()
  return { data: rows.map(present), count: rows.length }
}

/**
 * Deletes one of the caller's API tokens. 403 when called with an API token; 404 when the caller has no such
 * token.
 */
export function revokeToken(ctx: Ctx, id: number) {
  const { id: user_id } = requireUser(ctx)
  authorize(ctx.actor, 'token.manage')
  return inTransaction(ctx, async (ctx) => {
    const row = await ctx.db
      .deleteFrom('api_tokens')
      .where('user_id', '=', user_id)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirst()
    if (!row) throw notFound('Token não encontrado')
    await noteToken(ctx, user_id, 'token.revoked', row)
    return { message: 'Token revogado' }
  })
}

const noteToken = (
  ctx: Ctx,
  user_id: number,
  kind: string,
  { name, prefix, scope, networks, expires_at }: TokenRow,
) =>
  recordEvent(ctx, {
    subject: 'user',
    subject_id: user_id,
    kind,
    changes: { name, prefix, scope, networks, expires_at: expires_at.toISOString() },
  })
