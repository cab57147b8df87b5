import { createHash, randomBytes } from 'node:crypto'
import type { Person } from '@garantia/shared/policy'
import { API_TOKEN_PREFIX } from '@garantia/shared/tokens/schema'
import { sql } from 'kysely'
import type { Ctx } from './context.ts'
import { PERSON_COLUMNS, personFrom } from './person.ts'

const TOKEN_BYTES = 32
const SHOWN = API_TOKEN_PREFIX.length + 6
/** `last_used_at` is written at most once a minute: a script may call every second. */
const USE_NOTED_MS = 60_000

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/**
 * A new API token of 256 random bits. The caller shows `token` once and stores only its SHA-256 and its
 * prefix.
 */
export function generateApiToken() {
  const token = `${API_TOKEN_PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`
  return { token, token_hash: hashOf(token), prefix: token.slice(0, SHOWN) }
}

/** IPv4 addresses arrive in this form at a socket that listens to both. */
const MAPPED = /^::ffff:(?=\d+\.)/i

/**
 * The active person an API token belongs to, with its `token_scope`; null when the token is unknown, expired or
 * revoked, not meant for the caller's address, or its owner is inactive. Updates `last_used_at` at most once a minute.
 */
export async function personOfApiToken(ctx: Ctx, token: string): Promise<Person | null> {
  const now = ctx.clock()
  const ip = ctx.origin?.ip?.replace(MAPPED, '') ?? null
  const row = await ctx.db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .where('api_tokens.token_hash', '=', hashOf(token))
    .where('api_tokens.expires_at', '>', now)
    .where('users.is_active', '=', true)
    .select([
      ...(['api_tokens.id as token_id', 'api_tokens.last_used_at', 'api_tokens.scope'] as const),
      ...PERSON_COLUMNS,
      sql<boolean | null>`(api_tokens.networks = '{}' or ${ip}::inet <<= any(api_tokens.networks))`.as(
        'is_from_here',
      ),
    ])
    .executeTakeFirst()
  if (!row) return null
  const { token_id, last_used_at, scope, is_from_here, ...own } = row
  if (!is_from_here) {
    ctx.securityLog.note(ctx, {
      kind: 'refused.token_address',
      details: { token_id, account_id: row.id, account: row.full_name },
    })
    return null
  }
  if (!last_used_at || now.getTime() - last_used_at.getTime() > USE_NOTED_MS)
    await ctx.db.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', token_id).execute()
  return personFrom(own, { token_scope: scope })
}
